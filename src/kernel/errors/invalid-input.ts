import { INVALID_INPUT } from './faults.js';
import type { ErrorDetails } from './service-error.js';
import { ServiceError } from './service-error.js';

/** 400 BAD_REQUEST for one fault: `message` begins with its path (G-4). */
export const invalidInput = (message: string, details: Omit<ErrorDetails, 'issues'> = {}): ServiceError =>
  new ServiceError('BAD_REQUEST', INVALID_INPUT, { ...details, issues: [{ message }] });
