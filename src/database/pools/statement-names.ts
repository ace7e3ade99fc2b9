import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

/** A server keeps the plan of each in every connection: a few kilobytes. */
const MOST_NAMES = 200;

/** Longer ones belong to large searches and are not kept: they would fill the memory. */
const LONGEST = 16_384;

/** How many texts are remembered as seen once. */
const MOST_COUNTED = 1_000;

/**
 * Which statements have a name, so that the server parses them once for each connection and can keep their plan: those
 * that repeat. Their number is limited, since that of search texts is not.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly seen = new LRUCache<string, true>({ max: MOST_COUNTED });

  nameOf(text: string): string | undefined {
    if (text.length > LONGEST) return undefined;
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
