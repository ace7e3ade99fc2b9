import type { StoredSecurityQuestion } from '../../platform/database/schema/user.entity.js';

/**
 * An answer as it is hashed and compared: letter case, the way in which letters are composed, and how many spaces there
 * are, and where, make no difference.
 */
export const normalAnswer = (answer: string): string =>
  answer.normalize('NFKC').toUpperCase().toLowerCase().trim().replace(/\s+/g, ' ');

/** The question that is asked after a wrong answer: the next one, or the same where there is no other. */
export function questionAfter(questions: readonly StoredSecurityQuestion[], asked: string): string {
  const at = questions.findIndex(({ key }) => key === asked);
  return questions[(at + 1) % questions.length]?.key ?? asked;
}
