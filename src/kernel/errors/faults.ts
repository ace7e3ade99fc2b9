import { type ErrorDetails, type Issue, ServiceError } from './service-error.js';

const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const LONGEST_KEY = 300;

/**
 * A member's path in issues (G-4): `query.clauses[0].status`, or `data["child.name"]`. Long keys are cut, since many
 * paths may follow.
 */
export function memberPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  if (key.length > LONGEST_KEY) return `${parent}[${JSON.stringify(`${key.slice(0, LONGEST_KEY)}…`)}]`;
  if (!PLAIN_NAME.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** For messages and documentation tables: `` `asc`, `desc` ``. */
export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

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

/** 400 BAD_REQUEST for one fault: `message` begins with its path (G-4). */
export const invalidInput = (message: string, details: Omit<ErrorDetails, 'issues'> = {}): ServiceError =>
  new ServiceError('BAD_REQUEST', INVALID_INPUT, { ...details, issues: [{ message }] });
