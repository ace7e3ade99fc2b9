import type { ValidationError } from 'class-validator';

import type { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';

/**
 * Notes what class-validator found, with paths: `client_id: must be a UUID`. Of a member that is missing, only that; of one
 * that is no object, nothing about its members.
 */
export function addValidationFaults(faults: Faults, errors: readonly ValidationError[], parent = ''): void {
  for (const { property, value, constraints, children } of errors) {
    const path = memberPath(parent, property);
    const [message] = Object.values(constraints ?? {});
    if (message === undefined) addValidationFaults(faults, children ?? [], path);
    else faults.add(path, value === undefined ? 'is required' : withoutProperty(message, property));
  }
}

/** class-validator begins its sentences with the member's name, which the path has said. */
const withoutProperty = (message: string, property: string): string =>
  message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
