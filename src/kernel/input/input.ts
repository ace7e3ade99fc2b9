import { isWellFormedText, WELL_FORMED_TEXT } from '../domain/text.js';
import { memberPath, quoted } from '../errors/faults.js';
import { isObject } from './checks.js';
import type { Notes } from './notes.js';
import { unknownKey } from './unknown-key.js';

/**
 * A JSON value and its path. Readers return the precise type, or record a fault (G-4) and return null; the whole body
 * is then refused.
 */
export class Input {
  private constructor(
    readonly value: unknown,
    readonly notes: Notes,
    private readonly parent?: Input,
    private readonly key: string | number = '',
  ) {}

  static body(value: unknown, notes: Notes): Input {
    return new Input(value, notes);
  }

  /** Built only for faults. */
  private get path(): string {
    return this.parent === undefined ? '' : memberPath(this.parent.path, this.key);
  }

  /** The message states the expected value, or that it is required. */
  refuse(message: string | (() => string)): null {
    this.notes.refuse(
      () => this.path,
      () => `${this.isAbsent ? 'is required and ' : ''}${typeof message === 'string' ? message : message()}`,
    );
    return null;
  }

  get isAbsent(): boolean {
    return this.value === undefined;
  }

  get isObject(): boolean {
    return isObject(this.value);
  }

  /** Own keys, including `__proto__`; none for other values. */
  get keys(): readonly string[] {
    return isObject(this.value) ? Object.keys(this.value) : [];
  }

  has(key: string): boolean {
    return isObject(this.value) && Object.hasOwn(this.value, key);
  }

  /** Absent if the value is no object or lacks the own key. */
  member(key: string): Input {
    const value = isObject(this.value) && Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    return new Input(value, this.notes, this, key);
  }

  holding(value: unknown): Input {
    return new Input(value, this.notes, this.parent, this.key);
  }

  /** Refuses unknown keys, each under its own path (S-2). */
  refuseKeysBut(known: readonly string[], reason = (key: string): string => unknownKey(key, known)): void {
    for (const key of this.keys) if (!known.includes(key)) this.member(key).refuse(() => reason(key));
  }

  text(): string | null {
    if (typeof this.value !== 'string') return this.refuse('must be a string');
    return isWellFormedText(this.value) ? this.value : this.refuse(WELL_FORMED_TEXT);
  }

  oneOf<const T extends string>(allowed: readonly T[]): T | null {
    const found = allowed.find((candidate) => candidate === this.value);
    return found ?? this.refuse(() => `must be ${allowed.length > 1 ? 'one of ' : ''}${quoted(allowed)}`);
  }

  whole(most: number): number | null {
    const { value } = this;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
    return this.refuse(`must be a whole number from 0 to ${most}`);
  }

  get length(): number | null {
    return Array.isArray(this.value) ? this.value.length : null;
  }

  items(most: number): readonly Input[] {
    if (!Array.isArray(this.value)) return [];
    return this.value.slice(0, most).map((item, at) => new Input(item, this.notes, this, at));
  }

  /** Items past `most` are not read. */
  listOf<T>(what: string, most: number, read: (item: Input) => T | null): readonly T[] | null {
    if (this.length === null) return this.refuse(`must be a list of ${what}`);
    if (this.length > most) this.refuse(`must hold at most ${most} ${what}`);
    return this.items(most)
      .map(read)
      .filter((item) => item !== null);
  }
}

export const given = <T, R>(value: T | null, make: (value: T) => R): R | null => (value === null ? null : make(value));
