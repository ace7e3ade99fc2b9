import { absurd } from '../../../kernel/errors/service-error.js';
import { Sql, sql, unseen } from '../../../kernel/sql/sql.js';
import { chunkOf, EVERY_RECORD, EVERY_TERM, NO_BITS, positionOf } from '../../index/statistics/write-bitmaps.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { cardinalityOfTerms, estimate } from '../plan/plan.js';
import {
  type CandidateTerms,
  type DataLeaf,
  either,
  foundBy,
  foundByTerms,
  type RowSource,
  seqsOf,
} from '../predicate/candidate-terms.js';
import { compileRecheck, leavesOf, type Predicate, type RowLeaf } from '../predicate/predicate.js';
import { compileIndexed } from './page.js';

/** In one snapshot of the database. */
export type Tracked = ReadonlySet<bigint>;

type Bits = { readonly kind: 'some'; readonly terms: readonly bigint[] } | { readonly kind: 'sql'; readonly sql: Sql };

/** A condition is compiled last, since at most one level of a tree uses one. */
type Finding = CandidateTerms | (() => Sql);

/**
 * `found` match; `exceptions` must be checked; for every other record, its bit in `bits` decides. Missing bits are 0.
 */
interface Form {
  readonly bits: Bits | undefined;
  readonly found: readonly Finding[];
  readonly exceptions: readonly Finding[];
  /** Estimates of the records found, and of the exceptions. */
  readonly finds: number;
  readonly looks: number;
}

/**
 * Per record found, which is compared with its bit, and per exception, which is looked up. Unit: counting one record.
 */
const COSTS = { find: 1.5, look: 2 };

/** PostgreSQL holds them in memory, some 50 bytes each. */
const MOST_FOUND = 200_000;

/** Marked records, which are exceptions in any case, are left out. */
const costOf = ({ finds, looks }: Pick<Form, 'finds' | 'looks'>): number => COSTS.find * finds + COSTS.look * looks;

/**
 * A row `{total}`. Undefined if the bitmap of every record is missing, or a condition without one holds for too many
 * records.
 *
 * In an OR, an index finds the records of such a condition; those without a bit are added. Elsewhere they are
 * exceptions, as are records written after the bitmaps. Exceptions with a bit that do not match are subtracted, those
 * without one that match are added. All parts read one snapshot.
 */
export function countedByBitmaps(
  predicate: Predicate,
  tracked: Tracked,
  cardinalities: Cardinalities,
): Sql | undefined {
  const form = tracked.has(EVERY_TERM) ? formOf(predicate, tracked, cardinalities) : undefined;
  if (form === undefined || form.finds > MOST_FOUND) return undefined;
  if (costOf(form) >= estimate(predicate, cardinalities)) return undefined;
  const { bits, found, exceptions } = form;
  const exceptional = [sql`select distinct seq from bitmap_dirty`, ...seqsFound(exceptions)];
  return sql`with bitmap_match as materialized (
  select c.chunk, ${bits === undefined ? NO_BITS : compileBits(bits)} as bits from bitmap_chunk c where c.term = ${EVERY_RECORD}
), exception as materialized (
  select e.seq, ${IS_SET} as is_counted, (select ${compileRecheck(predicate)} from event_search s where s.seq = e.seq) is true as is_match
  from (${Sql.join(exceptional, '\n  union ')}) e ${WITH_BITS}
), uncounted as (
  ${Sql.join([sql`select seq from exception where is_match and not is_counted`, ...uncounted(found)], '\n  union ')}
)
select (select coalesce(sum(bit_count(bits)), 0) from bitmap_match)
  - (select count(*) from exception where is_counted and not is_match)
  + (select count(*) from uncounted) as total`;
}

/** `m`: the row of bits with the record `e`. */
const WITH_BITS = sql`left join bitmap_match m on m.chunk = ${chunkOf(sql`e.seq`)}`;
const IS_SET = sql`coalesce(get_bit(m.bits, ${positionOf(sql`e.seq`)}), 0) = 1`;

const uncounted = (found: readonly Finding[]): readonly Sql[] =>
  found.length === 0
    ? []
    : [sql`select e.seq from (${Sql.join(seqsFound(found), ' union all ')}) e ${WITH_BITS} where not ${IS_SET}`];

/** Records found by terms alone are found together: many have several. */
function seqsFound(findings: readonly Finding[]): readonly Sql[] {
  const terms = findings.filter((finding): finding is CandidateTerms => typeof finding !== 'function');
  const others = findings.filter((finding) => typeof finding === 'function').map((condition) => foundBy(condition()));
  const sources = terms.length === 0 ? others : [foundByAny(either(terms)), ...others];
  // Otherwise the UNION would end with the UNION ALL of two lists, and count records twice.
  return sources.map((source) => sql`(${seqsOf(source)})`);
}

/** Few of the terms are frequent, so PostgreSQL need not see them (`unseen`). */
function foundByAny(candidateTerms: CandidateTerms): RowSource {
  const found = foundByTerms(candidateTerms);
  return found.kind === 'condition' && candidateTerms.kind === 'someOf'
    ? foundBy(sql`s.terms && ${unseen(sql`${candidateTerms.terms}::bigint[]`)}`)
    : found;
}

/** Undefined if neither bitmaps nor an index can tell. */
function formOf(predicate: Predicate, tracked: Tracked, cardinalities: Cardinalities): Form | undefined {
  const form = formByParts(predicate, tracked, cardinalities);
  if (!predicate.isFindable) return form;
  // A selective condition of an AND should be found.
  return cheaper(form, () => compileIndexed(predicate, cardinalities), estimate(predicate, cardinalities));
}

/** The cheaper of the form and finding all matches by an index. */
function cheaper(form: Form | undefined, indexed: Finding, finds: number): Form {
  const found: Form = { ...NOTHING_FOUND, bits: undefined, found: [indexed], finds };
  return form !== undefined && costOf(form) <= costOf(found) ? form : found;
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
      if (form === undefined) return undefined;
      return {
        ...checked(form),
        bits: form.bits === undefined ? EVERY_BIT : bitsFrom(sql`(c.bits & ~${compileBits(form.bits)})`),
      };
    }
    case 'row':
    case 'data':
      return formOfLeaf(predicate, tracked, cardinalities);
    default:
      return absurd(predicate);
  }
}

function formOfLeaf(leaf: RowLeaf | DataLeaf, tracked: Tracked, cardinalities: Cardinalities): Form | undefined {
  if (leaf.kind === 'row' && leaf.bitmap !== undefined) {
    return tracked.has(leaf.bitmap) ? { ...NOTHING_FOUND, bits: someOf([leaf.bitmap]) } : undefined;
  }
  return leaf.decides ? formOfNarrowing(leaf.candidateTerms, tracked, cardinalities) : undefined;
}

function formOfNarrowing(
  candidateTerms: CandidateTerms,
  tracked: Tracked,
  cardinalities: Cardinalities,
): Form | undefined {
  if (candidateTerms.kind === 'none') return undefined;
  const form = formOfTerms(candidateTerms, tracked, cardinalities);
  return cheaper(form, candidateTerms, cardinalityOfTerms(candidateTerms, cardinalities));
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
            candidateTerms.terms.map((term) => ({ ...NOTHING_FOUND, bits: someOf([term]) })),
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

/** Frequent terms have bitmaps; an index finds the records of others. */
function formOfSome(terms: readonly bigint[], tracked: Tracked, cardinalities: Cardinalities): Form {
  const rare = terms.filter((term) => !tracked.has(term));
  const others: CandidateTerms = { kind: 'someOf', terms: rare };
  const frequent = terms.filter((term) => tracked.has(term));
  return {
    ...NOTHING_FOUND,
    bits: frequent.length === 0 ? undefined : someOf(frequent),
    found: rare.length === 0 ? [] : [others],
    finds: cardinalityOfTerms(others, cardinalities),
  };
}

const NOTHING_FOUND: Omit<Form, 'bits'> = { found: [], exceptions: [], finds: 0, looks: 0 };

/** Found records must be checked in an AND or a NOT. */
const checked = ({ found, exceptions, finds, looks }: Form): Omit<Form, 'bits'> => ({
  found: [],
  exceptions: [...exceptions, ...found],
  finds: 0,
  looks: looks + finds,
});

function combined(kind: 'all' | 'any', forms: readonly Form[]): Form {
  const known = forms.flatMap(({ bits }) => (bits === undefined ? [] : [bits]));
  const parts = kind === 'all' && forms.length > 1 ? forms.map(checked) : forms;
  return {
    bits: kind === 'all' ? intersection(forms, known) : union(known),
    found: parts.flatMap(({ found }) => found),
    exceptions: parts.flatMap(({ exceptions }) => exceptions),
    finds: sum(parts.map(({ finds }) => finds)),
    looks: sum(parts.map(({ looks }) => looks)),
  };
}

function intersection(forms: readonly Form[], known: readonly Bits[]): Bits | undefined {
  if (forms.length === 0) return EVERY_BIT;
  return known.length < forms.length ? undefined : joined(known, ' & ');
}

/** Terms of which a record must have one are looked up together. */
function union(known: readonly Bits[]): Bits | undefined {
  const terms = known.flatMap((bits) => (bits.kind === 'some' ? bits.terms : []));
  const others = known.filter(({ kind }) => kind !== 'some');
  const parts = terms.length === 0 ? others : [someOf(terms), ...others];
  return parts.length === 0 ? undefined : joined(parts, ' | ');
}

const joined = (parts: readonly Bits[], operator: ' & ' | ' | '): Bits =>
  parts.length === 1 && parts[0] !== undefined
    ? parts[0]
    : bitsFrom(sql`(${Sql.join(parts.map(compileBits), operator)})`);

const allKnown = (forms: readonly (Form | undefined)[]): readonly Form[] | undefined => {
  const known = forms.filter((form) => form !== undefined);
  return known.length < forms.length ? undefined : known;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const someOf = (terms: readonly bigint[]): Bits => ({ kind: 'some', terms });

const bitsFrom = (expression: Sql): Bits => ({ kind: 'sql', sql: expression });

const EVERY_BIT = bitsFrom(sql`c.bits`);

const compileBits = (bits: Bits): Sql =>
  bits.kind === 'sql'
    ? bits.sql
    : sql`coalesce((select bit_or(b.bits) from bitmap_chunk b where b.term = any(${unseen(sql`${bits.terms}::bigint[]`)}::bigint[]) and b.chunk = c.chunk), ${NO_BITS})`;

/** The terms and areas whose bitmaps can count. */
export const bitmapTermsOf = (predicate: Predicate): readonly bigint[] =>
  leavesOf(predicate).flatMap((leaf) => {
    if (leaf.kind === 'row' && leaf.bitmap !== undefined) return [leaf.bitmap];
    return leaf.decides ? termsOfCandidates(leaf.candidateTerms) : [];
  });

function termsOfCandidates(candidateTerms: CandidateTerms): readonly bigint[] {
  switch (candidateTerms.kind) {
    case 'none':
      return [];
    case 'someOf':
    case 'allOf':
      return candidateTerms.terms;
    case 'someOfAll':
      return candidateTerms.groups.flat();
    case 'both':
    case 'either':
      return candidateTerms.parts.flatMap(termsOfCandidates);
  }
}
