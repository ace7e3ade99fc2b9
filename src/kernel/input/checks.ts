import { isVisible, isWellFormedText } from '../domain/text.js';

export const isLeftOut = (value: unknown): value is null | undefined => value === undefined || value === null;

/** Counts code points without walking through a long text. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || Array.from(text).length > most);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** 1 to `most` code points that Postgres can hold. */
export const isTextWithin = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && !isLongerThan(value, most) && isWellFormedText(value);

const BACKSLASH = 0x5c;

/** The closing quote of the JSON string at `start`; the end of the text if there is none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

const LONGEST = 256;

export const NAME_EXPECTED = `must be visible text of 1 to ${LONGEST} characters without control characters and without unpaired surrogates`;

const CONTROL = /\p{Cc}/u;

export const isName = (value: unknown): value is string =>
  isTextWithin(value, LONGEST) && isVisible(value) && !CONTROL.test(value);
