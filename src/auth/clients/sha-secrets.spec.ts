import { Secret } from '../../platform/config/secret.js';
import { ShaSecrets } from './sha-secrets.js';

const opened: string[] = [];
const open = (sealed: string): Secret => {
  opened.push(sealed);
  return new Secret(`opened ${sealed}`);
};
const revealed = (secrets: readonly Secret[]): string[] => secrets.map((secret) => secret.reveal().slice(7));

beforeEach(() => opened.splice(0));

describe('ShaSecrets', () => {
  it('is one secret for a client that never had another, opened once', () => {
    const secrets = new ShaSecrets({ generation: 0, sealed: 'a' }, [], open);
    expect(opened).toEqual([]);
    expect([secrets.of(0).reveal(), revealed(secrets.signing(0))]).toEqual(['opened a', ['a']]);
    expect(opened).toEqual(['a']);
  });

  it('signs under both during the overlap, the delivery’s own first', () => {
    const secrets = new ShaSecrets(
      { generation: 1, sealed: 'b' },
      [{ generation: 0, sealed: 'a', isRecent: true }],
      open,
    );
    expect(revealed(secrets.signing(0))).toEqual(['a', 'b']);
    expect(revealed(secrets.signing(1))).toEqual(['b', 'a']);
  });

  it('keeps what a delivery was made under, and leaves the replaced one out of others after the overlap', () => {
    const replaced = ['a', 'b'].map((sealed, generation) => ({ generation, sealed, isRecent: false }));
    const secrets = new ShaSecrets({ generation: 2, sealed: 'c' }, replaced, open);
    expect(secrets.of(0).reveal()).toBe('opened a');
    expect(revealed(secrets.signing(0))).toEqual(['a', 'c']);
    expect(revealed(secrets.signing(2))).toEqual(['c']);
    expect(new ShaSecrets({ generation: 2, sealed: 'c' }, [], open).of(0).reveal()).toBe('opened c');
  });
});
