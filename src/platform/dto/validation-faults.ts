import type { ValidationError } from 'class-validator';

import type { Faults } from '../../kernel/errors/faults.js';
import { memberPath } from '../../kernel/errors/issue-path.js';

/**
 * Records the findings of class-validator, with paths: `client_id: must be a UUID`. Of a missing member only that; of
 * one that is not an object, nothing about its members.
 */
export function addValidationFaults(faults: Faults, errors: readonly ValidationError[], parent = ''): void {
  for (const { property, value, constraints, children } of errors) {
    const path = memberPath(parent, property);
    const [first] = Object.entries(constraints ?? {});
    if (first === undefined) addValidationFaults(faults, children ?? [], path);
    else if (value === undefined) faults.add(path, 'is required');
    else faults.add(path, wrongType(constraints ?? {}, value) ?? withoutProperty(first[1], property));
  }
}

/** Of what only a text has, class-validator complains in a value of another type, without saying which is wanted. */
const OF_TEXTS: readonly string[] = ['isLength', 'minLength', 'maxLength', 'matches'];
/** It begins so where each item of a list must be something. */
const OF_EACH = 'each value in ';

/** That the type is wrong, which is said first of all; undefined if it is not, or if the message says so itself. */
function wrongType(constraints: Readonly<Record<string, string>>, value: unknown): string | undefined {
  const [ofTexts] = OF_TEXTS.flatMap((name) => constraints[name] ?? []);
  if (ofTexts === undefined) return undefined;
  if (Array.isArray(value) && ofTexts.startsWith(OF_EACH)) {
    return value.some((item) => typeof item !== 'string') ? 'each item must be a string' : undefined;
  }
  return typeof value === 'string' || ofTexts.startsWith(OF_EACH) ? undefined : 'must be a string';
}

/** class-validator begins its sentences with the member's name, which the path already contains. */
const withoutProperty = (message: string, property: string): string =>
  message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
