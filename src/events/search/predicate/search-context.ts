import type { RecordOptions } from '../../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { NearWord, WordsNear } from '../../index/terms/near-words.js';
import type { FieldKinds, Terms } from '../../index/terms/terms.js';
import type { Shape, Shapes } from '../../index/terms/vocabulary.js';
import type { DataPath } from '../../index/values/data-path.js';
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

/** Some twenty times those of a usual search, made in some tens of milliseconds. */
const MOST_TERMS = 20_000;

/**
 * Bounds the terms of one search, which depend on what is stored. A condition without room is checked on the records,
 * which changes the speed of a search and not its result.
 */
export class TermRoom {
  private left = MOST_TERMS;

  /** False, and nothing is taken, if there are fewer. */
  takes(terms: number): boolean {
    if (terms > this.left) return false;
    this.left -= terms;
    return true;
  }
}

/** The inputs of a search besides the request: the compiler knows no clock, settings or database. */
export interface SearchContext {
  readonly now: Date;
  /** IANA name; calendar dates are read in it (S-8). */
  readonly timezone: string;
  /** Absent: nothing is hidden (E-10). */
  readonly guard?: Guard | undefined;
  /** `SearchPlanner.naming`, where the scopes for searching hide nothing; absent: none. */
  readonly naming?: readonly RecordOptions[] | undefined;
  /** Includes the location; empty for an unknown one (S-9). */
  readonly below: (location: string) => readonly Uuid[];
  readonly terms: Terms;
  /** For fuzzy conditions (S-11). */
  readonly dictionary: WordsNear;
  readonly shapes: Shapes;
  readonly room: TermRoom;
}

export interface Field {
  readonly path: DataPath;
  readonly shape: Shape;
  readonly kinds: FieldKinds;
  readonly room: TermRoom;
}

export const fieldAt = (path: DataPath, { shapes, terms, room }: SearchContext): Field => ({
  path,
  shape: shapes.field(path),
  kinds: terms.field(path),
  room,
});

/** All parts must hold for one fact: terms do not tell which of several values has them. */
export function ofOneValue(parts: readonly Candidates[], { shape }: Field): Candidates {
  const [only, ...others] = parts;
  if (only === undefined) return NO_CANDIDATES;
  if (others.length === 0) return only;
  return shape.has('several') ? coarse(both(parts.map(({ candidateTerms }) => candidateTerms))) : bothOf(parts);
}
