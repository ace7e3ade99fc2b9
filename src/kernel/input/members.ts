import { type Faults, memberPath } from '../errors/faults.js';
import { isLeftOut, isObject } from './checks.js';

/** `expected` completes the fault's sentence: `must be a UUID`. */
export interface Reader<T> {
  readonly expected: string;
  /** Undefined if `value` is not of the kind. */
  readonly read: (value: unknown) => T | undefined;
}

/** Reads members of one JSON object; every fault is recorded with its path. */
export class Members {
  private constructor(
    private readonly source: Readonly<Record<string, unknown>>,
    private readonly path: string,
    private readonly faults: Faults,
  ) {}

  /** Undefined, with a fault, if `value` is not an object. */
  static of(value: unknown, path: string, faults: Faults): Members | undefined {
    if (isObject(value)) return new Members(value, path, faults);
    faults.add(path, 'must be an object');
    return undefined;
  }

  /** After a fault the value must not be used: the parser returns the faults. */
  required<T>(key: string, reader: Reader<T>): T {
    const value = this.get(key);
    const found = reader.read(value);
    if (found === undefined) {
      this.fault(key, value === undefined ? `is required and ${reader.expected}` : reader.expected);
    }
    return found as T;
  }

  /** Null if absent or null. */
  nullable<T>(key: string, reader: Reader<T>): T | null {
    const value = this.get(key);
    if (isLeftOut(value)) return null;
    const found = reader.read(value);
    if (found === undefined) this.fault(key, `${reader.expected}, or null`);
    return found ?? null;
  }

  /** Absent is allowed; null is a fault. */
  optional<T>(key: string, reader: Reader<T>): T | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    const found = reader.read(value);
    if (found === undefined) this.fault(key, reader.expected);
    return found;
  }

  parsed<T>(key: string, parse: (value: unknown, path: string, faults: Faults) => T): T {
    return parse(this.get(key), memberPath(this.path, key), this.faults);
  }

  refuseOthersThan(known: ReadonlySet<string>): void {
    for (const key of Object.keys(this.source)) if (!known.has(key)) this.fault(key, 'is not a known key');
  }

  private get(key: string): unknown {
    return Object.hasOwn(this.source, key) ? this.source[key] : undefined;
  }

  private fault(key: string, message: string): void {
    this.faults.add(memberPath(this.path, key), message);
  }
}
