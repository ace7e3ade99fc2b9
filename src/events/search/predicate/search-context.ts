import type { RecordOptions } from '../../../kernel/domain/scopes/caller.js';
import type { LocationColumn } from '../../index/location-columns.js';
import type { WordsNear } from '../../index/near-words/fuzzy-dictionary.js';
import type { ReadBefore } from '../../index/near-words/dictionary-follower.js';
import type { Term } from '../../index/terms/term-kind.js';
import type { Shapes } from '../../index/terms/shapes.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { Guard } from '../request/guard.js';
import type { WorkedOut } from './worked-out.js';

/** The inputs of a search's meaning besides the request: the compiler knows no clock, settings or database. */
export interface SearchContext {
  readonly now: Date;
  /** IANA name of the zone in which a calendar date is read (S-8). */
  readonly timezone: string;
  /** What is hidden from the caller on records without read permission; absent: nothing (E-10). */
  readonly guard?: Guard | undefined;
  /** The scopes of `SearchContexts.naming`, where those for searching hide nothing; absent: none. */
  readonly naming?: readonly RecordOptions[] | undefined;
  /** The location and everything below it in the hierarchy; empty for an unknown one (S-9). */
  readonly below: (location: string) => readonly Uuid[];
  /** The term of records whose place in the column lies within the area; undefined if there is none. */
  readonly areaTerm?: (column: LocationColumn, area: Uuid) => Term | undefined;
  /** The words of all records, for fuzzy conditions (S-11). */
  readonly dictionary: WordsNear;
  /** The kinds of values of records, for conditions on the declaration. */
  readonly shapes: Shapes;
  /** Present if the statement must check that words and `shapes` are complete: see `KnownOutdated`. */
  readonly readBefore?: ReadBefore | undefined;
  /** Whether deciding terms are trusted. The search is then far shorter, and right only if its proof holds. */
  readonly trustsTerms?: boolean;
  /** Memoized results of one search; absent: nothing is memoized. */
  readonly workedOut?: WorkedOut;
  /** Computes, in small steps, the slow parts of a search that trusts no terms; await it before compiling one. */
  readonly prepareDoubt?: () => Promise<void>;
}
