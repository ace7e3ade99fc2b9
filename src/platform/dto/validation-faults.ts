import type { ValidationError } from 'class-validator';

import type { Faults } from '../../kernel/errors/faults.js';
import { memberPath } from '../../kernel/errors/issue-path.js';

/**
 * Records class-validator's findings with paths: `client_id: must be a UUID`. A missing member or a wrong type hides
 * the findings below it.
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

/** class-validator reports these for other types too, without naming the wanted type. */
const OF_TEXTS: readonly string[] = ['isLength', 'minLength', 'maxLength', 'matches'];
const OF_EACH = 'each value in ';

/** Reported first; undefined if the type is right, or the message says so itself. */
function wrongType(constraints: Readonly<Record<string, string>>, value: unknown): string | undefined {
  const [ofTexts] = OF_TEXTS.flatMap((name) => constraints[name] ?? []);
  if (ofTexts === undefined) return undefined;
  if (Array.isArray(value) && ofTexts.startsWith(OF_EACH)) {
    return value.some((item) => typeof item !== 'string') ? 'each item must be a string' : undefined;
  }
  return typeof value === 'string' || ofTexts.startsWith(OF_EACH) ? undefined : 'must be a string';
}

/** The path already contains the member's name, with which class-validator begins. */
const withoutProperty = (message: string, property: string): string =>
  message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
