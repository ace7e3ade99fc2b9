import type { Sql } from '../../../sql/sql.js';
import { all, any, sql } from '../../../sql/sql.js';

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

/** Whether a record has the terms. */
export function compileNarrowing(narrowing: Narrowing): Sql {
  switch (narrowing.kind) {
    case 'none':
      return sql`true`;
    case 'someOf':
      return narrowing.terms.length === 1
        ? sql`s.terms @> ${narrowing.terms}::bigint[]`
        : sql`s.terms && ${narrowing.terms}::bigint[]`;
    case 'allOf':
      return sql`s.terms @> ${narrowing.terms}::bigint[]`;
    case 'both':
      return all(narrowing.parts.map(compileNarrowing));
    case 'either':
      return any(narrowing.parts.map(compileNarrowing));
  }
}
