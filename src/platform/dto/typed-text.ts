import { Transform } from 'class-transformer';

import { asciiDigits } from '../../kernel/domain/decimal-digits.js';
import { trimmed } from '../../kernel/domain/visible-text.js';

const ofText = (read: (text: string) => string): PropertyDecorator =>
  Transform(({ value }: { value: unknown }): unknown => (typeof value === 'string' ? read(value) : value));

/** A text that a person types: keyboards and copying add white space at its ends, which does not count (U-6). */
export const Typed = (): PropertyDecorator => ofText(trimmed);

/** White space, hyphens of any width, and what shows nothing. */
const GROUPING = /[\s\p{Pd}\u2212\p{Default_Ignorable_Code_Point}]+/gu;

/** A code that a person types, perhaps in groups, in the digits of their script (U-6). */
export const TypedCode = (): PropertyDecorator => ofText((text) => asciiDigits(text.replace(GROUPING, '')));
