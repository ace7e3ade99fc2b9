import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import { KIB } from '../../../kernel/domain/bytes.js';
import type { Sql } from '../../../kernel/sql/sql.js';

type Query = ReturnType<Sql['toQuery']>;

/** A server keeps the plan of each in every connection: a few kilobytes. */
const MOST_NAMES = 200;

/** Longer ones belong to large searches and are not kept: they would fill the memory. */
const LONGEST = 16 * KIB;

/** How many texts are remembered as seen once. */
const MOST_COUNTED = 1_000;

/** From here on a custom plan looks a value up in a list. A generic plan compares it with each member in turn. */
const LONG = 9;

/** More than a custom plan is worth, even where few rows are compared with the list. */
const VERY_LONG = 33;

/** Whether a statement compares a column with a long list; `hash` is that of a table with few rows, the doubts. */
const hasLongList = ({ text, params }: Query): boolean =>
  params.some((param, at) => {
    if (!Array.isArray(param)) return false;
    // Patterns are sent as one text: a generic plan would take it apart for each row.
    if (text.includes(`string_to_array(($${at + 1}::text[])[1]`)) return true;
    if (param.length < LONG) return false;
    const list = `any($${at + 1}::`;
    return param.length >= VERY_LONG || (text.includes(list) && !text.includes(`hash = ${list}`));
  });

/**
 * Which statements have a name, so that the server parses them once for each connection and can keep their plan: those
 * that repeat, but for those that compare a column with a long list. Their number is limited, since that of search texts
 * is not.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly seen = new LRUCache<string, true>({ max: MOST_COUNTED });

  nameOf(query: Query): string | undefined {
    const { text } = query;
    if (text.length > LONGEST || hasLongList(query)) return undefined;
    const name = this.names.get(text);
    if (name !== undefined || this.names.size >= MOST_NAMES) return name;
    if (!this.seen.has(text)) {
      this.seen.set(text, true);
      return undefined;
    }
    this.seen.delete(text);
    const given = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    this.names.set(text, given);
    return given;
  }
}
