import { isWellFormedText, WELL_FORMED_TEXT } from '../domain/text.js';
import { Faults, memberPath, quoted } from '../errors/faults.js';
import type { Issue, ServiceError } from '../errors/service-error.js';
import { isObject } from './checks.js';

const MOST = 100;

/** Keeps the first 100 faults and counts the rest: a line of an import may have millions. */
export class BoundedFaults extends Faults {
  private unlisted = 0;

  /** `whole`: the input's name in faults of all of it. */
  constructor(private readonly whole = 'body') {
    super();
  }

  override add(path: string | (() => string), message: string | (() => string)): void {
    if (this.listed.length < MOST) super.add(path, message);
    else this.unlisted += 1;
  }

  override get issues(): readonly Issue[] {
    if (this.unlisted === 0) return this.listed;
    return [...this.listed, { message: `${this.whole}: has ${this.unlisted} more faults than are listed` }];
  }
}

/**
 * Faults and totals of one body. `timezone` is for dates (S-8). Without `dateFields` dates in `data` are unchecked
 * (S-10). `unorderedFields` hold values without an order (S-12).
 */
export class Notes {
  clauses = 0;
  dataKeys = 0;
  private readonly faults = new BoundedFaults();

  constructor(
    readonly timezone = 'UTC',
    readonly dateFields?: ReadonlySet<string>,
    readonly unorderedFields?: ReadonlySet<string>,
  ) {}

  /** Past the limit a fault is only counted; neither path nor message is built. */
  refuse(path: () => string, message: () => string): void {
    this.faults.add(path, message);
  }

  get none(): boolean {
    return this.faults.none;
  }

  /** 400 with the first 100 faults and the number of others. */
  toError(): ServiceError {
    return this.faults.toError();
  }
}

/** Names the nearest known key, or else all (S-2). */
export function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestKey(key, known);
  return nearest === undefined
    ? `unknown key; known keys are ${quoted(known)}`
    : `unknown key; did you mean \`${nearest}\`?`;
}

/** The key fewest edits away, ignoring letter case, or else a prefix or suffix either way (`registrationNumber`). */
function nearestKey(key: string, known: readonly string[]): string | undefined {
  const lower = key.toLowerCase();
  const near = known
    .map((candidate) => ({ candidate, edits: editsBetween(lower, candidate.toLowerCase(), allowance(candidate)) }))
    .filter(({ candidate, edits }) => edits <= allowance(candidate))
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.candidate ?? known.find((candidate) => isEndOf(lower, candidate.toLowerCase()));
}

const allowance = (candidate: string): number => Math.max(1, Math.floor(candidate.length / 3));

function isEndOf(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 4 && (long.startsWith(short) || long.endsWith(short));
}

/** Edit distance with transposition; anything greater than `most` once past it. */
function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}

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
