import fc from 'fast-check';
import {
  checkCharacter,
  countsByYear,
  parseRegistrationNumberPattern,
  registrationNumber,
  type RegistrationNumberPattern,
} from './registration-number-pattern.js';

const patternOf = (text: string): RegistrationNumberPattern => {
  const pattern = parseRegistrationNumberPattern(text);
  if (pattern === undefined) throw new Error(`${text} is no pattern`);
  return pattern;
};

describe('a pattern of registration numbers (E-7)', () => {
  it.each([
    ['{year}{sequence:7}{check}', { year: 2026, sequence: 17 }, '20260000017J'],
    ['{year}{sequence:7}{check}', { year: 2026, sequence: 12_345_678 }, '202612345678O'],
    ['B-{year:2}/{sequence:5}', { year: 2026, sequence: 17 }, 'B-26/00017'],
    ['{sequence}', { year: 2026, sequence: 1 }, '1'],
  ])('%s makes of %j %s', (text, number, expected) => {
    expect(registrationNumber(patternOf(text), number)).toBe(expected);
  });

  it.each([
    '',
    '{year}',
    '{sequence}{sequence}',
    '{year}{year}{sequence}',
    '{check}{sequence}',
    '{sequence}{check}-',
    '{sequence}{check}{check}',
    '{sequence:0}',
    '{sequence:16}',
    '{year:3}{sequence}',
    '{office}{sequence}',
    'b{sequence}',
    '{sequence',
    `${'A'.repeat(64)}{sequence}`,
  ])('%j is none', (text) => {
    expect(parseRegistrationNumberPattern(text)).toBeUndefined();
  });

  it('counts by year where it shows the year', () => {
    expect([countsByYear(patternOf('{year:2}-{sequence}')), countsByYear(patternOf('{sequence}'))]).toEqual([
      true,
      false,
    ]);
  });
});

describe('the check character', () => {
  it('is that of ISO/IEC 7064, MOD 37,36', () => {
    expect(checkCharacter('A1-2425G-ABC1234002')).toBe('M');
  });

  it('reveals one wrong character', () => {
    const character = fc.stringMatching(/^[0-9A-Z]$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{1,16}$/), fc.nat(), character, (right, seed, other) => {
        const at = seed % right.length;
        const wrong = right.slice(0, at) + other + right.slice(at + 1);
        expect(checkCharacter(wrong) === checkCharacter(right)).toBe(wrong === right);
      }),
    );
  });
});
