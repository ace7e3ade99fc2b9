import { isVisible } from '../domain/visible-text.js';
import { isTextWithin } from './is-text-within.js';

const LONGEST = 256;

/** What a name of a place or a user has to be, as a fault says it. */
export const NAME_EXPECTED = `must be visible text of 1 to ${LONGEST} characters without control characters and without unpaired surrogates`;

const CONTROL = /\p{Cc}/u;

/** Whether it is such a name: a short text of which something shows. */
export const isName = (value: unknown): value is string =>
  isTextWithin(value, LONGEST) && isVisible(value) && !CONTROL.test(value);
