import type { ValidationError } from 'class-validator';

import type { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';

/**
 * Records the findings of class-validator, with paths: `client_id: must be a UUID`. Of a missing member only that; of
 * one that is not an object, nothing about its members.
 */
export function addValidationFaults(faults: Faults, errors: readonly ValidationError[], parent = ''): void {
  for (const { property, value, constraints, children } of errors) {
    const path = memberPath(parent, property);
    const [message] = Object.values(constraints ?? {});
    if (message === undefined) addValidationFaults(faults, children ?? [], path);
    else faults.add(path, value === undefined ? 'is required' : withoutProperty(message, property));
  }
}

/** class-validator begins its sentences with the member's name, which the path already contains. */
const withoutProperty = (message: string, property: string): string =>
  message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
