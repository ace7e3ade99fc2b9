import { all, any, Sql, sql } from '../../../sql/sql.js';

/** Which terms every match of a condition has, as a tree, so that their index finds the candidates. */
export type Narrowing =
  /** No terms tell matches from other records. */
  | { readonly kind: 'none' }
  | { readonly kind: 'someOf' | 'allOf'; readonly terms: readonly bigint[] }
  | { readonly kind: 'both' | 'either'; readonly parts: readonly Narrowing[] };

/** Past this many terms a look-up of each costs more than the records that it spares. No list of a request is longer. */
const MOST_TERMS = 1_000;

const NONE: Narrowing = { kind: 'none' };

export const someOf = <T>(values: readonly T[], termOf: (value: T) => bigint): Narrowing =>
  values.length > MOST_TERMS ? NONE : { kind: 'someOf', terms: values.map(termOf) };

/** A longer list, as several look-ups: one of all terms would compare each candidate with each of them. */
export function someOfMany(terms: readonly bigint[]): Narrowing {
  if (terms.length <= MOST_TERMS) return { kind: 'someOf', terms };
  const lists = Array.from({ length: Math.ceil(terms.length / MOST_TERMS) }, (_, at) =>
    terms.slice(at * MOST_TERMS, (at + 1) * MOST_TERMS),
  );
  return { kind: 'either', parts: lists.map((list) => ({ kind: 'someOf', terms: list })) };
}

/** The terms of all values, of which there is at least one. */
export const allOf = <T>(values: readonly T[], termOf: (value: T) => bigint): Narrowing => ({
  kind: 'allOf',
  terms: values.map(termOf),
});

/** What narrows only in part still narrows. */
export function both(parts: readonly Narrowing[]): Narrowing {
  const narrowing = parts.filter((part) => part.kind !== 'none');
  const [first, ...rest] = narrowing;
  if (first === undefined) return NONE;
  return rest.length === 0 ? first : { kind: 'both', parts: narrowing };
}

/** An alternative that nothing narrows leaves nothing narrowed. Alternatives of single terms become one. */
export function either(parts: readonly Narrowing[]): Narrowing {
  if (parts.some((part) => part.kind === 'none')) return NONE;
  const terms = parts.flatMap((part) => (isOneOfTerms(part) ? part.terms : []));
  const others = parts.filter((part) => !isOneOfTerms(part));
  if (others.length === 0) return someOfMany(terms);
  return { kind: 'either', parts: terms.length === 0 ? others : [someOfMany(terms), ...others] };
}

/** No record has the terms. */
export const NOTHING: Narrowing = { kind: 'someOf', terms: [] };

export const isNothing = (narrowing: Narrowing): boolean => narrowing.kind === 'someOf' && narrowing.terms.length === 0;

const isOneOfTerms = (part: Narrowing): part is Narrowing & { readonly terms: readonly bigint[] } =>
  part.kind === 'someOf' || (part.kind === 'allOf' && part.terms.length === 1);

/** `condition`, tried on no more records than the terms leave. It decides alone: two terms can have one hash. */
export const narrowed = (narrowing: Narrowing, condition: Sql): Sql =>
  narrowing.kind === 'none' ? condition : all([compileNarrowing(narrowing), condition]);

/** Whether a record has the terms, for the index to find out. */
export function compileNarrowing(narrowing: Narrowing): Sql {
  switch (narrowing.kind) {
    case 'none':
      return sql`true`;
    case 'someOf':
    case 'allOf':
      return compileTermList(narrowing);
    case 'both':
      return all(narrowing.parts.map(compileNarrowing));
    case 'either':
      return anyFound(narrowing.parts.map(compileNarrowing), narrowing.parts.some(isDearToTry));
  }
}

/** Whether a record has the terms, for rows that are tried one by one. */
export function compileTriedNarrowing(narrowing: Narrowing): Sql {
  switch (narrowing.kind) {
    case 'none':
      return sql`true`;
    case 'someOf':
      return isDearToTry(narrowing)
        ? sql`(select bool_or(has.term in (select unnest(${narrowing.terms}::bigint[]))) from unnest(s.terms) as has (term))`
        : compileTermList(narrowing);
    case 'allOf':
      return compileTermList(narrowing);
    case 'both':
      return all(narrowing.parts.map(compileTriedNarrowing));
    case 'either':
      return any(narrowing.parts.map(compileTriedNarrowing));
  }
}

/**
 * The records that one of the conditions finds. Postgres tries the whole OR again on each row that its index has found;
 * where that is dear, rows are found by each condition apart.
 */
export const anyFound = (conditions: readonly Sql[], isDear: boolean): Sql =>
  isDear
    ? sql`s.seq = any (array(${Sql.join(
        conditions.map((condition) => sql`select s.seq from event_search s where ${condition}`),
        ' union all ',
      )}))`
    : any(conditions);

/** Past so many terms, to try one after the other on each term of a row costs more than to look each of those up. */
const FEW_TERMS = 16;

export const isDearToTry = (narrowing: Narrowing): boolean =>
  narrowing.kind === 'both' || narrowing.kind === 'either'
    ? narrowing.parts.some(isDearToTry)
    : narrowing.kind === 'someOf' && narrowing.terms.length > FEW_TERMS;

const compileTermList = ({ kind, terms }: Narrowing & { readonly terms: readonly bigint[] }): Sql =>
  kind === 'allOf' || terms.length === 1 ? sql`s.terms @> ${terms}::bigint[]` : sql`s.terms && ${terms}::bigint[]`;
