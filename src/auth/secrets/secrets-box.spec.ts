import { equalInConstantTime, SealedTextError, SecretsBox } from './secrets-box.js';

const box = new SecretsBox(Buffer.alloc(32, 1));
const other = new SecretsBox(Buffer.alloc(32, 2));

const failure = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('SecretsBox', () => {
  it.each(['', 'a secret', 'Łukasz 🔑', 'x'.repeat(10_000)])('reads again what it sealed: %.10s', (plain) => {
    expect(box.open(box.seal(plain, 'sha_secret'), 'sha_secret')).toBe(plain);
  });

  it('reads a text that was sealed in the form that is documented', () => {
    expect(box.open('v1.gRvQu4eJ.KdBZcj78M8WPVjt6pPeFI5D82TFPauny0d5N4HA_ntqvWCxu', 'signing key')).toBe('a secret');
  });

  it('seals in a form that names its version and key, differently each time', () => {
    expect(box.seal('a secret', 'p')).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/);
    expect(box.seal('a secret', 'p')).not.toBe(box.seal('a secret', 'p'));
  });

  it('says so when SECRETS_KEY is another one', () => {
    expect(failure(() => other.open(box.seal('a secret', 'signing key'), 'signing key'))).toEqual(
      new SealedTextError(
        'SECRETS_KEY is not the one under which the database keeps its secrets: ' +
          'the signing key was sealed under key gRvQu4eJ, and this is key kjoqKOov',
      ),
    );
  });

  it('does not open what was sealed for another purpose', () => {
    expect(failure(() => box.open(box.seal('a secret', 'sha_secret of a'), 'sha_secret of b'))).toBeInstanceOf(
      SealedTextError,
    );
  });

  it('does not open what was changed, cut or is something else', () => {
    const sealed = box.seal('a secret', 'p');
    const [version = '', keyId = '', body = ''] = sealed.split('.');
    const flipped = Buffer.from(body, 'base64url').map((byte, at) => (at === 14 ? byte ^ 1 : byte));
    for (const hostile of [
      `${version}.${keyId}.${Buffer.from(flipped).toString('base64url')}`,
      `${version}.${keyId}.${body.slice(0, -4)}`,
      `${version}.${keyId}.`,
      `v2.${keyId}.${body}`,
      `${sealed}.x`,
      '',
      'a secret',
    ]) {
      expect(failure(() => box.open(hostile, 'p'))).toBeInstanceOf(SealedTextError);
    }
  });

  it('reads what the previous key sealed while that is configured, and seals under the one of today', () => {
    const both = new SecretsBox(Buffer.alloc(32, 2), Buffer.alloc(32, 1));
    const older = box.seal('a secret', 'p');
    expect(both.open(older, 'p')).toBe('a secret');
    expect(other.open(both.seal('a secret', 'p'), 'p')).toBe('a secret');
    expect([both.isCurrent(older), both.isCurrent(both.seal('a secret', 'p'))]).toEqual([false, true]);
    const third = new SecretsBox(Buffer.alloc(32, 3)).seal('a secret', 'p');
    expect(failure(() => both.open(third, 'p'))).toBeInstanceOf(SealedTextError);
  });
});

describe('equalInConstantTime', () => {
  it('compares texts and bytes, whatever their lengths', () => {
    expect(equalInConstantTime('a secret', 'a secret')).toBe(true);
    expect(equalInConstantTime(Buffer.from('a secret'), 'a secret')).toBe(true);
    expect(equalInConstantTime('', '')).toBe(true);
    expect(equalInConstantTime('a secret', 'a secreT')).toBe(false);
    expect(equalInConstantTime('a secret', 'a secret ')).toBe(false);
    expect(equalInConstantTime('a secret', '')).toBe(false);
  });
});
