import { parseUuid } from './uuid.js';

describe('a UUID', () => {
  it.each(['1', '2', '3', '4', '5', '6', '7', '8'])('may be of version %s', (version) => {
    const text = `5f0c8f6e-2c0e-${version}a54-9f0e-0b6f0d1c2a77`;
    expect(parseUuid(text)).toBe(text);
  });

  it.each(['8', '9', 'a', 'b'])('may be of variant %s', (variant) => {
    const text = `5f0c8f6e-2c0e-4a54-${variant}f0e-0b6f0d1c2a77`;
    expect(parseUuid(text)).toBe(text);
  });

  it.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])('may be %s', (text) => {
    expect(parseUuid(text)).toBe(text);
  });

  it('is yielded in lower case', () => {
    expect(parseUuid('5F0C8F6E-2C0E-4A54-BF0E-0B6F0D1C2A77')).toBe('5f0c8f6e-2c0e-4a54-bf0e-0b6f0d1c2a77');
    expect(parseUuid('FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
  });

  it.each([
    ['version 0', '5f0c8f6e-2c0e-0a54-9f0e-0b6f0d1c2a77'],
    ['version 9', '5f0c8f6e-2c0e-9a54-9f0e-0b6f0d1c2a77'],
    ['variant 7', '5f0c8f6e-2c0e-4a54-7f0e-0b6f0d1c2a77'],
    ['variant c', '5f0c8f6e-2c0e-4a54-cf0e-0b6f0d1c2a77'],
    ['zeros but for one digit', '00000000-0000-0000-0000-000000000001'],
    ['braces', '{5f0c8f6e-2c0e-4a54-9f0e-0b6f0d1c2a77}'],
    ['a URN before it', 'urn:uuid:5f0c8f6e-2c0e-4a54-9f0e-0b6f0d1c2a77'],
    ['no hyphens', '5f0c8f6e2c0e4a549f0e0b6f0d1c2a77'],
    ['a digit that is none', '5f0c8f6g-2c0e-4a54-9f0e-0b6f0d1c2a77'],
    ['a line end after it', '5f0c8f6e-2c0e-4a54-9f0e-0b6f0d1c2a77\n'],
    ['no characters', ''],
    ['no text', 7],
    ['a list around it', ['5f0c8f6e-2c0e-4a54-9f0e-0b6f0d1c2a77']],
  ])('is not what has %s', (_, value) => {
    expect(parseUuid(value)).toBeUndefined();
  });
});
