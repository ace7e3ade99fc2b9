import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { StoredFacts } from './stored-facts.js';

/**
 * What `event_document.body` holds. The first line is the record as an answer carries it (S-13); each other line is a
 * field of its declaration with its facts, `"child.dob":{"d":"2024-02-29"}`. In JSON, line breaks occur only escaped.
 *
 * One text, since PostgreSQL compresses each value by itself, and facts repeat most of the answer: apart, the two took
 * 2,592 bytes of a usual record and three went on a page; together they take 1,906, and four do. A single field is read
 * without parsing the others.
 */
export const documentOf = ({ body, facts }: { readonly body: string; readonly facts: string }): string =>
  `${body}\n${facts}`;

/** The lines of the facts. */
export const factLines = (facts: StoredFacts): string =>
  Object.entries(facts)
    .map(([field, fact]) => `${JSON.stringify(field)}:${JSON.stringify(fact)}`)
    .join('\n');

/** The answer in `document`, a text. */
export const answerIn = (document: Sql): Sql => sql`split_part(${document}, chr(10), 1)`;

/** The facts of a field in `document`, as jsonb; null where the record does not have it. */
export const factsOfField = (document: Sql, field: string): Sql => factsAfter(document, sql`${lineOf(field)}::text`);

/** How the line of the field begins, with the end of the line before it. */
export const lineOf = (field: string): string => `\n${JSON.stringify(field)}:`;

/** The facts of the field whose line begins with `line`, a text. */
export const factsAfter = (document: Sql, line: Sql): Sql =>
  sql`nullif(split_part(split_part(${document}, ${line}, 2), chr(10), 1), '')::jsonb`;

/** The facts of all fields, as a jsonb object; for a single field this takes ten times as long. */
export const factsIn = (document: Sql): Sql => sql`('{' || replace(${linesIn(document)}, chr(10), ',') || '}')::jsonb`;

/** `factLines` in `document`. */
export const linesIn = (document: Sql): Sql => sql`substr(${document}, strpos(${document}, chr(10)) + 1)`;
