import { ServiceError } from '../../kernel/errors/service-error.js';
import { readSecurityAnswers } from './recoveries.js';

const answered = (answer: unknown): object[] => [{ questionKey: 'BIRTH_TOWN', answer }];

describe('the answer to a security question', () => {
  // Adlam letters, of which each has two units of UTF-16.
  it.each(['K', 'Kabwe  Mine', 'a'.repeat(256), '𞤀'.repeat(256)])('may be %j', (answer) => {
    expect(readSecurityAnswers(answered(answer))).toEqual(answered(answer));
  });

  it.each(['', '  ', 'a'.repeat(257), '𞤀'.repeat(257), 'a\u0000', 5, null, undefined])('is not %j', (answer) => {
    const message = 'securityQuestions[0].answer: must be text of 1 to 256 characters, not spaces alone';
    expect(() => readSecurityAnswers(answered(answer))).toThrow(ServiceError);
    expect(() => readSecurityAnswers(answered(answer))).toThrow(
      expect.objectContaining({ issues: [{ message }] }) as Error,
    );
  });
});
