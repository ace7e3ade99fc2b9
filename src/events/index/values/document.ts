import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { StoredFacts } from './stored-facts.js';

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
