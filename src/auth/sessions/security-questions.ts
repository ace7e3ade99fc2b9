import { Faults, memberPath } from '../../kernel/errors/faults.js';
import { isObject, isTextWithin } from '../../kernel/input/checks.js';
import type { StoredSecurityQuestion } from '../../platform/database/schema/user.entity.js';

export interface SecurityAnswer {
  readonly questionKey: string;
  readonly answer: string;
}

/** Letter case, Unicode composition and spaces do not matter. */
export const normalAnswer = (answer: string): string =>
  answer.normalize('NFKC').toUpperCase().toLowerCase().trim().replace(/\s+/g, ' ');

/** Returns the same question if there is no other. */
export function questionAfter(questions: readonly StoredSecurityQuestion[], asked: string): string {
  const at = questions.findIndex(({ key }) => key === asked);
  return questions[(at + 1) % questions.length]?.key ?? asked;
}

export const MOST_QUESTIONS = 10;
/** Upstream's keys, such as `BIRTH_TOWN`, or a country's own. */
export const QUESTION_KEY = /^[A-Z][A-Z0-9_]{0,63}$/;

const LONGEST_ANSWER = 256;
const KEYS = ['questionKey', 'answer'];

/** Undefined where there are none. Throws 400 with every fault. */
export function readSecurityAnswers(value: unknown): readonly SecurityAnswer[] | undefined {
  if (value === undefined) return undefined;
  const faults = new Faults();
  const path = 'securityQuestions';
  const answers: SecurityAnswer[] = [];
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_QUESTIONS) {
    faults.add(path, `must be a list of 1 to ${MOST_QUESTIONS} questions`);
  } else value.forEach((item: unknown, at) => answers.push(readAnswer(item, memberPath(path, at), faults)));
  const keys = answers.map(({ questionKey }) => questionKey);
  if (faults.none && new Set(keys).size < keys.length) faults.add(path, 'must have each question once');
  faults.throwIfAny();
  return answers;
}

function readAnswer(item: unknown, path: string, faults: Faults): SecurityAnswer {
  const { questionKey, answer, ...others } = isObject(item) ? item : {};
  if (!isObject(item)) faults.add(path, 'must be an object');
  for (const key of Object.keys(others).slice(0, 1)) {
    faults.add(memberPath(path, key), `is not a known key; allowed: ${KEYS.join(', ')}`);
  }
  const isKey = typeof questionKey === 'string' && QUESTION_KEY.test(questionKey);
  if (!isKey)
    faults.add(memberPath(path, 'questionKey'), 'must be 1 to 64 capital letters, digits and `_`: BIRTH_TOWN');
  const isAnswer = isTextWithin(answer, LONGEST_ANSWER) && normalAnswer(answer) !== '';
  if (!isAnswer)
    faults.add(memberPath(path, 'answer'), `must be text of 1 to ${LONGEST_ANSWER} characters, not spaces alone`);
  return isKey && isAnswer ? { questionKey, answer } : { questionKey: '', answer: '' };
}
