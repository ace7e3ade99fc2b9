import type { ValidationError } from '@nestjs/common';

import type { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';

/** Notes what class-validator found, with paths: `client_id: must be a UUID`. Of a member that is missing, only that. */
export function addValidationFaults(faults: Faults, errors: readonly ValidationError[], parent = ''): void {
  for (const { target, property, value, constraints, children } of errors) {
    const path = memberPath(parent, Array.isArray(target) ? Number(property) : property);
    const message = Object.entries(constraints ?? {}).map(([name, text]) => messageOf(name, text, property, value))[0];
    if (message !== undefined) faults.add(path, message);
    addValidationFaults(faults, children ?? [], path);
  }
}

function messageOf(constraint: string, text: string, property: string, value: unknown): string {
  if (constraint === 'whitelistValidation') return 'is not a known key';
  if (value === undefined) return 'is required';
  return text.startsWith(`${property} `) ? text.slice(property.length + 1) : text;
}
