import { usernameKey, usernameSkeleton } from './text.js';

describe('usernameKey', () => {
  it.each([
    ['K.Mweene', 'k.mweene'],
    ['JOSÉ', 'jose\u0301'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['STRASSE', 'straße'],
    ['STRAẞE', 'straße'],
  ])('is the same for %s and %s', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other));
  });

  it('is another for another name', () => {
    expect(usernameKey('jose')).not.toBe(usernameKey('josé'));
  });
});

it.each([
  ['k.mweene', 'k.mwe\u200bene'],
  ['k.mweene', '\u2060k.mweene\u00ad'],
  ['k.mweene', 'k.mwеene'],
  ['PAPA', 'РАРА'],
  ['papa', 'РАРА'],
  ['josé', 'jose\u0301'],
  ['scope', 'ѕсоре'],
])('%s looks like %j', (name, other) => {
  expect(usernameSkeleton(other)).toBe(usernameSkeleton(name));
});

it.each([
  ['jose', 'josé'],
  ['anna', 'ana'],
  ['ნინო', 'ნანო'],
])('%s does not look like %s', (name, other) => {
  expect(usernameSkeleton(other)).not.toBe(usernameSkeleton(name));
});
