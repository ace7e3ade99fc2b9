import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import { KIB } from '../../../kernel/domain/bytes.js';
import type { Sql } from '../../../kernel/sql/sql.js';

type Query = ReturnType<Sql['toQuery']>;

/** A server keeps each plan in every connection: a few kilobytes. */
const MOST_NAMES = 200;

/** Longer texts belong to large searches and would fill the memory. */
const LONGEST = 16 * KIB;

const MOST_COUNTED = 1_000;

/** From this length a custom plan looks values up in a list; a generic one compares each member in turn. */
const LONG = 9;

/** Exceeds the value of a custom plan, even for few rows. */
const VERY_LONG = 33;

/** Whether a column is compared with a long list; `hash` is that of a table with few rows, the doubts. */
const hasLongList = ({ text, params }: Query): boolean =>
  params.some((param, at) => {
    if (!Array.isArray(param)) return false;
    // Patterns are one text, which a generic plan would split for each row.
    if (text.includes(`string_to_array(($${at + 1}::text[])[1]`)) return true;
    if (param.length < LONG) return false;
    const list = `any($${at + 1}::`;
    return param.length >= VERY_LONG || (text.includes(list) && !text.includes(`hash = ${list}`));
  });

/**
 * Names repeated statements, which the server parses and plans once per connection, except those with long lists. The
 * number is limited, since search texts are unlimited.
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
