import { isWellFormedText } from '../domain/well-formed-text.js';
import { isLongerThan } from './is-longer-than.js';

/** 1 to `most` code points that Postgres can hold. */
export const isTextWithin = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && !isLongerThan(value, most) && isWellFormedText(value);
