import { faultOfPassword } from './user-members.js';

const COMMON = 'is one of the passwords that are tried first';
const OWN = 'is made of the names of its owner, which are tried first';
const LENGTH = 'must be text of 8 to 256 characters';

const owner = {
  username: 'k.mweene',
  firstname: 'Kennedy',
  surname: 'Mweene Łukasz',
  email: 'kennedy.m@example.org',
  mobile: '+260 97 1234567',
};

describe('faultOfPassword', () => {
  it.each([
    'short',
    'ééééééé',
    '😀'.repeat(7),
    'x'.repeat(257),
    `${'😀'.repeat(256)}!`,
    5,
    null,
    undefined,
    'with\u0000null',
  ])('is the length of %j', (value) => {
    expect(faultOfPassword(value, owner)).toBe(LENGTH);
  });

  it.each([
    ...[
      'password',
      'Password1',
      'PASSWORD123',
      'ｐａｓｓｗｏｒｄ',
      'P@ssw0rd',
      'iloveyou',
      'Welcome1',
      'letmein123',
      'admin123',
    ],
    ...['12345678', '1234567890', '0987654321', 'qwertyuiop', 'lkjhgfdsa', 'abcdefghij', 'zyxwvuts', '90123456'],
    ...['aaaaaaaa', '00000000', 'abababab', '123412341234', '1q2w3e4r', 'Matricula1', 'opencrvs123', 'motdepasse'],
  ])('is that %s is common', (password) => {
    expect(faultOfPassword(password)).toBe(COMMON);
  });

  it.each([
    ...[
      'k.mweene',
      'K.MWEENE',
      'kmweene1',
      'kennedy1',
      'Kennedy2026!',
      'mweene99',
      'kennedymweene',
      'Mweene-Kennedy-7',
    ],
    ...['kennedy.m@example.org', 'kennedym', '+260 97 1234567', '260971234567', 'łukasz12', 'kennedykennedy'],
  ])('is that %s is made of what is known of its owner', (password) => {
    expect(faultOfPassword(password, owner)).toBe(OWN);
  });

  it.each([
    'correct horse',
    'my first password',
    'Kennedy likes tea',
    '260971234568',
    'a long password',
    '73918264',
    'mweenekapenta',
    `${'😀'.repeat(255)}!`,
  ])('is none of %s', (password) => {
    expect(faultOfPassword(password, owner)).toBeUndefined();
  });

  it('is none for an owner of whom nothing is known', () => {
    expect(faultOfPassword('kennedy2026', {})).toBeUndefined();
    expect(faultOfPassword('k.mweene', { username: 'ab', email: null, mobile: null })).toBeUndefined();
  });

  it('takes no longer for the longest', () => {
    const began = performance.now();
    for (const piece of ['a', 'ab', 'abcd', 'kennedy', '1', '😀']) {
      faultOfPassword(`${piece.repeat(200).slice(0, 255)}!`, owner);
    }
    // Milliseconds; what went back and forth over each piece would take hours.
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
