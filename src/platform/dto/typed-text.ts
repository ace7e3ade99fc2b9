import { Transform } from 'class-transformer';

import { asciiDigits } from '../../kernel/domain/decimal-digits.js';
import { trimmed } from '../../kernel/domain/visible-text.js';

const ofText = (read: (text: string) => string): PropertyDecorator =>
  Transform(({ value }: { value: unknown }): unknown => (typeof value === 'string' ? read(value) : value));

/** Typed by a person: keyboards and copying add white space at the ends (U-6). */
export const Typed = (): PropertyDecorator => ofText(trimmed);

/** White space, hyphens of any width, and invisible characters. */
const GROUPING = /[\s\p{Pd}\u2212\p{Default_Ignorable_Code_Point}]+/gu;

/** A code typed by a person, perhaps in groups, in the digits of their script (U-6). */
export const TypedCode = (): PropertyDecorator => ofText((text) => asciiDigits(text.replace(GROUPING, '')));
