import { isVisible } from '../domain/text.js';
import { isTextWithin } from './checks.js';

const LONGEST = 256;

export const NAME_EXPECTED = `must be visible text of 1 to ${LONGEST} characters without control characters and without unpaired surrogates`;

const CONTROL = /\p{Cc}/u;

export const isName = (value: unknown): value is string =>
  isTextWithin(value, LONGEST) && isVisible(value) && !CONTROL.test(value);
