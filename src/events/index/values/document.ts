import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { Fact, Facts } from './facts.js';
import { isPlainAscii, plainWords } from './fold.js';

/**
 * Derivable parts, which would be most of a record, are left out.
 *
 * - A plain ASCII text, a number and a boolean are themselves: the text is `x`, in lower case `t`, split into words at
 *   other characters than letters and digits.
 * - Otherwise an object, without `t` if it is `x`, `u` or `d`, and without `q` if `t` splits likewise.
 */
export type StoredFact = string | number | boolean | StoredObject;

interface StoredObject {
  readonly x?: string;
  /** The text as stored, if `x`, `u` or `d` differs. */
  readonly o?: string;
  readonly t?: string;
  /** The `t` of a file, which has no words. */
  readonly f?: string;
  /** The text and location of a UUID. */
  readonly u?: string;
  readonly d?: string;
  readonly n?: number;
  readonly r?: readonly [string, string];
  /** The words of a name, separated by spaces. */
  readonly w?: string;
  readonly k?: string;
  /** The words of a text, separated by spaces. */
  readonly q?: string;
  /** Joins, separated by spaces. */
  readonly j?: string;
  /** A domestic address's, unless its members have it. */
  readonly a?: string;
  readonly c?: string;
  readonly m?: StoredFacts;
}

/** Several facts, or a list's, form a list. */
export type StoredFacts = Readonly<Record<string, StoredFact | readonly StoredFact[]>>;

export const storedFacts = (facts: Facts): StoredFacts =>
  Object.fromEntries(Object.entries(facts).map(([key, alternatives]) => [key, storedAlternatives(alternatives)]));

function storedAlternatives(alternatives: readonly Fact[]): StoredFact | readonly StoredFact[] {
  const [first] = alternatives;
  return alternatives.length === 1 && first !== undefined && !isMarker(first)
    ? storedFact(first)
    : alternatives.filter((fact) => !isMarker(fact)).map(storedFact);
}

/** The marker of a list. */
const isMarker = (fact: Fact): boolean => Object.keys(fact).length === 0;

function storedFact(fact: Fact): StoredFact {
  const { t, q, o, n, d, r, w, k, c, a, m } = fact;
  const joins = storedJoins(fact);
  if (!('m' in fact)) {
    if (n !== undefined) return n;
    if (d !== undefined) return { d, ...(o !== undefined && { o }), ...joins };
    if (t !== undefined && q !== undefined) return storedText(fact, t, q);
    if (t !== undefined) return t === 'true';
  }
  return {
    ...(t !== undefined && { f: t }),
    ...(n !== undefined && { n }),
    ...(r !== undefined && { r }),
    ...(w !== undefined && { w: w.join(' '), ...joins }),
    ...(k !== undefined && { k }),
    ...(c !== undefined && { c }),
    ...(a !== undefined && m?.['addressType']?.[0]?.x !== 'DOMESTIC' && { a }),
    ...(m !== undefined && { m: storedFacts(m) }),
  };
}

const storedJoins = ({ j = [] }: Fact): { readonly j?: string } => (j.length === 0 ? {} : { j: j.join(' ') });

function storedText(fact: Fact, t: string, q: readonly string[]): StoredFact {
  const { x, o, a: u } = fact;
  const more = { ...(o !== undefined && { o }), ...storedJoins(fact) };
  if (u !== undefined) return x === undefined || x === u ? { u, ...more } : { u, x, ...more };
  const isPlain = x !== undefined && Object.keys(more).length === 0 && isPlainAscii(x);
  if (isPlain && !/[@'`]/.test(x)) return x;
  const words = areEqual(plainWords(t), q) ? {} : { q: q.join(' ') };
  if (x === undefined) return { t, ...words };
  if (isPlain && !('q' in words)) return x;
  return { x, ...(x !== t && { t }), ...words, ...more };
}

const areEqual = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((word, at) => word === right[at]);

/**
 * The text of `event_document.body`: the record as in an answer (S-13), then a line per field with its facts,
 * `"child.dob":{"d":"2024-02-29"}`.
 *
 * One text, since PostgreSQL compresses values separately and facts repeat the answer: a usual record takes 1,906 bytes
 * instead of 2,592. A field is read without parsing the others.
 */
export const documentOf = ({ body, facts }: { readonly body: string; readonly facts: string }): string =>
  `${body}\n${facts}`;

export const factLines = (facts: StoredFacts): string =>
  Object.entries(facts)
    .map(([field, fact]) => `${JSON.stringify(field)}:${JSON.stringify(fact)}`)
    .join('\n');

/** `document` is a text. */
export const answerIn = (document: Sql): Sql => sql`split_part(${document}, chr(10), 1)`;

/** As jsonb; null without the field. */
export const factsOfField = (document: Sql, field: string): Sql => factsAfter(document, sql`${lineOf(field)}::text`);

/** With the preceding line break. */
export const lineOf = (field: string): string => `\n${JSON.stringify(field)}:`;

/** `line`: the beginning, a text. */
export const factsAfter = (document: Sql, line: Sql): Sql =>
  sql`nullif(split_part(split_part(${document}, ${line}, 2), chr(10), 1), '')::jsonb`;

/** As jsonb; ten times as slow as one field. */
export const factsIn = (document: Sql): Sql => sql`('{' || replace(${linesIn(document)}, chr(10), ',') || '}')::jsonb`;

export const linesIn = (document: Sql): Sql => sql`substr(${document}, strpos(${document}, chr(10)) + 1)`;
