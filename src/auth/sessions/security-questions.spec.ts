import { normalAnswer, questionAfter } from './recoveries.js';

describe('the answer to a security question', () => {
  it.each([
    ['Kabwe Central', '  kabwe \t CENTRAL '],
    ['Strasse', 'straße'],
    ['José', 'JOSE\u0301'],
    ['Οδός', 'ΟΔΌΣ'],
  ])('%j is the same as %j', (one, other) => {
    expect(normalAnswer(one)).toBe(normalAnswer(other));
  });

  it('is another without its spaces, and empty where it consists of spaces', () => {
    expect(normalAnswer('Kabwe Central')).not.toBe(normalAnswer('KabweCentral'));
    expect(normalAnswer(' \u00a0\t')).toBe('');
  });
});

describe('the question after a wrong answer', () => {
  const questions = ['BIRTH_TOWN', 'HIGH_SCHOOL', 'MOTHER_NAME'].map((key) => ({ key, answerHash: '' }));

  it.each([
    ['BIRTH_TOWN', 'HIGH_SCHOOL'],
    ['MOTHER_NAME', 'BIRTH_TOWN'],
    ['REMOVED', 'BIRTH_TOWN'],
  ])('after %s is %s', (asked, next) => {
    expect(questionAfter(questions, asked)).toBe(next);
  });

  it('is the same where there is one alone', () => {
    expect(questionAfter(questions.slice(0, 1), 'BIRTH_TOWN')).toBe('BIRTH_TOWN');
  });
});
