import type { Issue } from './service-error.js';
import { ServiceError } from './service-error.js';

/** For a 400 with issues (G-4). */
export const INVALID_INPUT = 'Input validation failed';

/** Collects every fault of one input, to report them together (S-2, G-4). */
export class Faults {
  protected readonly listed: Issue[] = [];

  /** `path` as of `memberPath`, or `body`. Functions are called only for kept faults. */
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

  throwIfAny(message = INVALID_INPUT): void {
    if (!this.none) throw this.toError(message);
  }
}

const textOf = (text: string | (() => string)): string => (typeof text === 'string' ? text : text());
