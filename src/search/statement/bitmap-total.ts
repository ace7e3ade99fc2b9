import { chunkOf, EVERY_RECORD, NO_BITS, positionOf } from '../../derived/bitmaps/bitmap.js';
import type { Cardinalities } from '../../derived/statistics/cardinalities.js';
import { absurd } from '../../errors/absurd.js';
import { Sql, sql } from '../../sql/sql.js';
import { estimate, cardinalityOfTerms } from '../plan/estimate.js';
import type { CandidateTerms } from '../predicate/candidate-terms.js';
import { compileCandidateTerms } from '../predicate/candidate-terms.js';
import { compileRecheck } from '../predicate/compile-filter.js';
import type { DataLeaf } from '../predicate/data/data-leaf.js';
import { isFindable } from '../predicate/is-findable.js';
import type { Predicate, RowLeaf } from '../predicate/predicate.js';
import { compileIndexed } from './render.js';

/** The terms that have bitmaps, in one snapshot of the database. */
export type Tracked = ReadonlySet<bigint>;

/** How many records match, from bitmaps. */
export interface BitmapTotal {
  /** One row `{total}`. */
  readonly statement: Sql;
  /** How many records are checked one by one, in addition to the marked ones. */
  readonly looks: number;
}

/**
 * What bitmaps say about a condition. They say nothing about the records found by `exceptions`; for every other record,
 * its bit in `bits` says whether it matches. Missing bits are 0.
 */
interface Form {
  readonly bits: Sql | undefined;
  readonly exceptions: readonly Sql[];
  /** About how many records the exceptions find. */
  readonly looks: number;
}

/**
 * The exact number of matches, checking only a few records: bits are combined as the tree combines its conditions, and
 * counted. Conditions whose terms have no bitmap must hold for few records; otherwise the result is undefined. Those
 * records, and the ones marked because they were written after the bitmaps, are exceptions: what the bits say of them
 * is subtracted, and what their rows say is added. Everything comes from one snapshot.
 */
export function bitmapTotal(
  predicate: Predicate,
  tracked: Tracked,
  cardinalities: Cardinalities,
): BitmapTotal | undefined {
  const form = formOf(predicate, tracked, cardinalities);
  if (form === undefined) return undefined;
  const { bits = NO_BITS, exceptions, looks } = form;
  const exceptional = [sql`select distinct seq from facet_dirty`, ...exceptions.map(seqsOf)];
  const statement = sql`with facet_match as materialized (
  select c.chunk, ${bits} as bits from facet_bitmap c where c.term = ${EVERY_RECORD}
), exception as materialized (
  ${Sql.join(exceptional, '\n  union ')}
)
select (select coalesce(sum(bit_count(bits)), 0) from facet_match)
  - (select count(*) from exception e join facet_match f on f.chunk = ${chunkOf(sql`e.seq`)} where get_bit(f.bits, ${positionOf(sql`e.seq`)}) = 1)
  + (select count(*) from exception e where (select ${compileRecheck(predicate)} from event_search s where s.seq = e.seq)) as total`;
  return { statement, looks };
}

const seqsOf = (exception: Sql): Sql => sql`select s.seq from event_search s where ${exception}`;

/** Undefined if neither bitmaps nor an index can tell. */
function formOf(predicate: Predicate, tracked: Tracked, cardinalities: Cardinalities): Form | undefined {
  const form = formByParts(predicate, tracked, cardinalities);
  if (!isFindable(predicate)) return form;
  // All its matches can be exceptions, and should be in an AND with a selective condition.
  const looks = estimate(predicate, cardinalities);
  if (form !== undefined && form.looks <= looks) return form;
  return { bits: undefined, exceptions: [compileIndexed(predicate, cardinalities)], looks };
}

function formByParts(predicate: Predicate, tracked: Tracked, cardinalities: Cardinalities): Form | undefined {
  switch (predicate.kind) {
    case 'all':
    case 'any': {
      const forms = allKnown(predicate.parts.map((part) => formOf(part, tracked, cardinalities)));
      return forms && combined(predicate.kind, forms);
    }
    case 'not': {
      const form = formOf(predicate.part, tracked, cardinalities);
      return form && { ...form, bits: form.bits === undefined ? EVERY_BIT : sql`(${EVERY_BIT} & ~${form.bits})` };
    }
    case 'row':
    case 'data':
      return formOfLeaf(predicate, tracked, cardinalities);
    default:
      return absurd(predicate);
  }
}

const formOfLeaf = (
  { decides, candidateTerms }: RowLeaf | DataLeaf,
  tracked: Tracked,
  cardinalities: Cardinalities,
): Form | undefined => (decides ? formOfNarrowing(candidateTerms, tracked, cardinalities) : undefined);

function formOfNarrowing(
  candidateTerms: CandidateTerms,
  tracked: Tracked,
  cardinalities: Cardinalities,
): Form | undefined {
  if (candidateTerms.kind === 'none') return undefined;
  const form = formOfTerms(candidateTerms, tracked, cardinalities);
  const looks = cardinalityOfTerms(candidateTerms, cardinalities);
  return form !== undefined && form.looks <= looks
    ? form
    : { bits: undefined, exceptions: [compileCandidateTerms(candidateTerms)], looks };
}

function formOfTerms(
  candidateTerms: Exclude<CandidateTerms, { readonly kind: 'none' }>,
  tracked: Tracked,
  cardinalities: Cardinalities,
): Form | undefined {
  switch (candidateTerms.kind) {
    case 'someOf':
      return formOfSome(candidateTerms.terms, tracked, cardinalities);
    case 'allOf':
      return candidateTerms.terms.every((term) => tracked.has(term))
        ? combined(
            'all',
            candidateTerms.terms.map((term) => ({ bits: bitsOf([term]), exceptions: [], looks: 0 })),
          )
        : undefined;
    case 'someOfAll':
      return undefined;
    case 'both':
    case 'either': {
      const forms = allKnown(candidateTerms.parts.map((part) => formOfNarrowing(part, tracked, cardinalities)));
      return forms && combined(candidateTerms.kind === 'both' ? 'all' : 'any', forms);
    }
  }
}

/** Frequent terms have bitmaps; the records with one of the others are exceptions. */
function formOfSome(terms: readonly bigint[], tracked: Tracked, cardinalities: Cardinalities): Form {
  const rare = terms.filter((term) => !tracked.has(term));
  const others: CandidateTerms = { kind: 'someOf', terms: rare };
  const frequent = terms.filter((term) => tracked.has(term));
  return {
    bits: frequent.length === 0 ? undefined : bitsOf(frequent),
    exceptions: rare.length === 0 ? [] : [compileCandidateTerms(others)],
    looks: cardinalityOfTerms(others, cardinalities),
  };
}

function combined(kind: 'all' | 'any', forms: readonly Form[]): Form {
  const known = forms.flatMap(({ bits }) => (bits === undefined ? [] : [bits]));
  return {
    bits: kind === 'all' ? intersection(forms, known) : union(known),
    exceptions: forms.flatMap(({ exceptions }) => exceptions),
    looks: forms.reduce((sum, { looks }) => sum + looks, 0),
  };
}

function intersection(forms: readonly Form[], known: readonly Sql[]): Sql | undefined {
  if (forms.length === 0) return EVERY_BIT;
  return known.length < forms.length ? undefined : sql`(${Sql.join(known, ' & ')})`;
}

const union = (known: readonly Sql[]): Sql | undefined =>
  known.length === 0 ? undefined : sql`(${Sql.join(known, ' | ')})`;

const allKnown = (forms: readonly (Form | undefined)[]): readonly Form[] | undefined => {
  const known = forms.filter((form) => form !== undefined);
  return known.length < forms.length ? undefined : known;
};

const EVERY_BIT = sql`c.bits`;

const bitsOf = (terms: readonly bigint[]): Sql =>
  sql`coalesce((select bit_or(b.bits) from facet_bitmap b where b.term = any(${terms}::bigint[]) and b.chunk = c.chunk), ${NO_BITS})`;
