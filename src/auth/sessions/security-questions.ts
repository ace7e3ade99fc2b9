import type { StoredSecurityQuestion } from '../../platform/database/schema/user.entity.js';

/** Normalizes letter case, Unicode composition and spaces before hashing and comparison. */
export const normalAnswer = (answer: string): string =>
  answer.normalize('NFKC').toUpperCase().toLowerCase().trim().replace(/\s+/g, ' ');

/** The next question after a wrong answer, or the same if it is the only one. */
export function questionAfter(questions: readonly StoredSecurityQuestion[], asked: string): string {
  const at = questions.findIndex(({ key }) => key === asked);
  return questions[(at + 1) % questions.length]?.key ?? asked;
}
