import type { Issue } from './service-error.js';
import { ServiceError } from './service-error.js';

/** The message of a 400 with issues (G-4). */
export const INVALID_INPUT = 'Input validation failed';

/** Collects every fault of one input, so that a caller learns of all of them at once (S-2, G-4). */
export class Faults {
  protected readonly listed: Issue[] = [];

  /**
   * Adds a fault at `path` (see `memberPath`); the whole body is named `body`. What has to be built is built only
   * for a fault that is kept.
   */
  add(path: string | (() => string), message: string | (() => string)): void {
    const at = textOf(path);
    this.listed.push({ message: `${at === '' ? 'body' : at}: ${textOf(message)}` });
  }

  get issues(): readonly Issue[] {
    return this.listed;
  }

  get none(): boolean {
    return this.listed.length === 0;
  }

  /** 400 BAD_REQUEST with one issue per fault. */
  toError(message = INVALID_INPUT): ServiceError {
    return new ServiceError('BAD_REQUEST', message, { issues: this.issues });
  }

  /** Throws `toError()` if there is any fault. */
  throwIfAny(message = INVALID_INPUT): void {
    if (!this.none) throw this.toError(message);
  }
}

const textOf = (text: string | (() => string)): string => (typeof text === 'string' ? text : text());
