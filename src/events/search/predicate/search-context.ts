import type { RecordOptions } from '../../../kernel/domain/scopes/caller.js';
import type { DataMember, ValueCondition } from '../../../kernel/domain/search-request.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { NearWord, WordsNear } from '../../index/terms/near-words.js';
import type { FieldKinds, Terms } from '../../index/terms/terms.js';
import type { Shape, Shapes } from '../../index/terms/vocabulary.js';
import type { DataPath } from '../../index/values/data-path.js';
import type { Cuts } from '../../index/values/fold.js';
import type { Guard } from '../request/refuse-secured.js';
import { both, bothOf, type Candidates, coarse, NO_CANDIDATES } from './candidate-terms.js';

/** S-11. */
export interface NearRun {
  readonly near: readonly NearWord[];
  /** The run itself, where a name may have it as a join. */
  readonly joins: readonly string[];
}

export interface NearInValue extends NearRun {
  /** Words with up to so many edits; undefined where there are no more than with fewer. */
  readonly upTo: readonly (readonly string[] | undefined)[];
}

/** The very object in the query. */
type Asked = DataMember | ValueCondition;

/** Memoized results of one search, computed condition by condition before it is compiled (`prepared`). */
export class WorkedOut {
  /** By term and scope: its lists are sent once. */
  readonly nearInValue = new Map<string, Cuts<NearInValue>>();
}

/** Computed once for each condition, however often the search is compiled. */
export class Once<T> {
  private readonly known = new WeakMap<WorkedOut, Map<Asked, { readonly value: T }>>();

  of(kept: WorkedOut | undefined, asked: Asked, workOut: () => T): T {
    if (kept === undefined) return workOut();
    const known = this.known.get(kept)?.get(asked);
    return known === undefined ? this.set(kept, asked, workOut()) : known.value;
  }

  set(kept: WorkedOut, asked: Asked, value: T): T {
    const known = this.known.get(kept) ?? new Map<Asked, { readonly value: T }>();
    this.known.set(kept, known);
    known.set(asked, { value });
    return value;
  }
}

/** The inputs of a search besides the request: the compiler knows no clock, settings or database. */
export interface SearchContext {
  readonly now: Date;
  /** IANA name; calendar dates are read in it (S-8). */
  readonly timezone: string;
  /** Absent: nothing is hidden (E-10). */
  readonly guard?: Guard | undefined;
  /** `SearchContexts.naming`, where the scopes for searching hide nothing; absent: none. */
  readonly naming?: readonly RecordOptions[] | undefined;
  /** Includes the location; empty for an unknown one (S-9). */
  readonly below: (location: string) => readonly Uuid[];
  readonly terms: Terms;
  /** For fuzzy conditions (S-11). */
  readonly dictionary: WordsNear;
  readonly shapes: Shapes;
  /** Absent: nothing is memoized. */
  readonly workedOut?: WorkedOut;
}

export interface Field {
  readonly path: DataPath;
  readonly shape: Shape;
  readonly kinds: FieldKinds;
}

export const fieldAt = (path: DataPath, { shapes, terms }: SearchContext): Field => ({
  path,
  shape: shapes.field(path),
  kinds: terms.field(path),
});

/** All parts must hold for one fact: terms do not tell which of several values has them. */
export function ofOneValue(parts: readonly Candidates[], { shape }: Field): Candidates {
  const [only, ...others] = parts;
  if (only === undefined) return NO_CANDIDATES;
  if (others.length === 0) return only;
  return shape.has('several') ? coarse(both(parts.map(({ candidateTerms }) => candidateTerms))) : bothOf(parts);
}
