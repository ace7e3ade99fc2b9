import type { StoredSecurityQuestion } from '../../platform/database/schema/user.entity.js';

/** Letter case, Unicode composition and spaces do not matter. */
export const normalAnswer = (answer: string): string =>
  answer.normalize('NFKC').toUpperCase().toLowerCase().trim().replace(/\s+/g, ' ');

/** Returns the same question if there is no other. */
export function questionAfter(questions: readonly StoredSecurityQuestion[], asked: string): string {
  const at = questions.findIndex(({ key }) => key === asked);
  return questions[(at + 1) % questions.length]?.key ?? asked;
}
