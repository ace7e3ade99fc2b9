import { AddressPolicy, NOT_PERMITTED, parseCallbackUrl } from './address-policy.js';

const rules = { policy: new AddressPolicy([]), allowHttp: false };
const reasonOf = (text: string): string | undefined => {
  const read = parseCallbackUrl(text, rules);
  return read.kind === 'unsound' ? read.reason : undefined;
};

const ABSOLUTE = 'must be an absolute https URL';
const UNSOUND: readonly (readonly [string, string])[] = [
  ['', ABSOLUTE],
  ['/hook', ABSOLUTE],
  ['subscriber.example/hook', ABSOLUTE],
  ['http://subscriber.example/hook', ABSOLUTE],
  ['ftp://subscriber.example/', ABSOLUTE],
  ['file:///etc/passwd', ABSOLUTE],
  ['https:subscriber.example/hook', ABSOLUTE],
  ['https:/subscriber.example/hook', ABSOLUTE],
  ['https:///subscriber.example/hook', ABSOLUTE],
  ['https://///subscriber.example/hook', ABSOLUTE],
  ['https:\\\\subscriber.example\\hook', ABSOLUTE],
  [' https://subscriber.example/', ABSOLUTE],
  ['https://subscriber.example/a b', ABSOLUTE],
  ['https://subscriber.example/a\tb', ABSOLUTE],
  ['https://subscriber.example/\u0000', ABSOLUTE],
  ['https://', ABSOLUTE],
  ['https://256.1.1.1/', ABSOLUTE],
  ['https://subscriber.example:70000/', ABSOLUTE],
  ['https://user:pass@subscriber.example/', 'must not contain user info'],
  ['https://@subscriber.example/', 'must not contain user info'],
  ['https:///user:pass@subscriber.example/', 'must not contain user info'],
  ['https:////user@subscriber.example/', 'must not contain user info'],
  ['https://subscriber.example/#part', 'must not contain a fragment'],
  ['https://subscriber.example/#', 'must not contain a fragment'],
  [`https://subscriber.example/${'a'.repeat(2_048 - 26)}`, 'must have at most 2048 characters'],
  ['https://metadata.google.internal/', NOT_PERMITTED],
  ['https://METADATA.google.internal./', NOT_PERMITTED],
];

const LOOPBACK_SPELLINGS = [
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1:8443/',
  'https://%31%32%37.0.0.1/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://①②⑦.0.0.1/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
];

describe('parseCallbackUrl', () => {
  it.each([
    'https://subscriber.example/hook',
    'https://subscriber.example:8443/hook?token=a%20b&x=1',
    'HTTPS://Subscriber.Example/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/hook',
    'https://bücher.example/',
    'https://subscriber.example/@not-user-info',
    `https://subscriber.example/${'a'.repeat(2_048 - 27)}`,
  ])('takes %s', (text) => {
    expect(reasonOf(text)).toBeUndefined();
  });

  it.each(UNSOUND)('refuses %j', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  it.each(LOOPBACK_SPELLINGS)('sees the loopback address in %s', (text) => {
    expect(reasonOf(text)).toBe(NOT_PERMITTED);
  });

  it.each([
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://169.254.169.254/latest/meta-data',
    'https://0/',
    'https://10.1/',
  ])('sees what %s embeds, and does not tell it', (text) => {
    expect(reasonOf(text)).toBe(NOT_PERMITTED);
  });

  it('takes plain http and opened ranges where they are allowed', () => {
    const open = { policy: new AddressPolicy(['127.0.0.0/8']), allowHttp: true };
    expect(parseCallbackUrl('http://127.0.0.1:4545/hook', open)).toMatchObject({ kind: 'sound' });
    expect(parseCallbackUrl('ftp://127.0.0.1/', open)).toEqual({ kind: 'unsound', reason: ABSOLUTE });
  });
});
