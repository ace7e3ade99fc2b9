import type { SortValues } from '../../domain/search-request.js';
import { CursorBox } from './cursor-box.js';
import type { Walk } from './walk.js';
import { fingerprintOf } from './walk.js';

/** Past this a cursor fits into no header. */
const LONGEST_CURSOR = 8_192;

/** What is kept in a cursor, as JSON. */
type Content = readonly [fingerprint: string, values: SortValues];

/** What a cursor says: where the walk goes on, or why it is refused. */
export type ReadCursor =
  { readonly kind: 'position'; readonly after: SortValues } | { readonly kind: 'refused'; readonly reason: string };

/**
 * Cursors (S-15): where a walk through the results of a search stands, as text that only this service can write. A
 * cursor holds the values that the last record of a page was ordered by, so the next page costs the same at any depth.
 */
export class Cursors {
  private readonly box: CursorBox;
  /** Of the key before, while that is configured. */
  private readonly previous: CursorBox | undefined;

  /** The 32 bytes of `SECRETS_KEY`, and of `SECRETS_KEY_PREVIOUS`: cursors under that one are read too (P-6). */
  constructor(secretsKey: Buffer, previous?: Buffer) {
    this.box = new CursorBox(secretsKey);
    this.previous = previous && new CursorBox(previous);
  }

  /** The cursor after a record with these values; undefined when they are too long for one. */
  write(walk: Walk, values: SortValues): string | undefined {
    const content: Content = [fingerprintOf(walk), values];
    const cursor = this.box.seal(JSON.stringify(content));
    return cursor.length > LONGEST_CURSOR ? undefined : cursor;
  }

  /** Where the walk goes on. A cursor of another walk, and whatever is none of ours, is refused. */
  read(cursor: string, walk: Walk): ReadCursor {
    const plain = this.box.open(cursor) ?? this.previous?.open(cursor);
    if (plain === undefined) return refused('must be one that an answer of this service gave, unchanged');
    // Nobody else can have written it.
    const [fingerprint, after] = JSON.parse(plain) as Content;
    if (fingerprint !== fingerprintOf(walk)) return refused('belongs to another query, sort or client');
    return { kind: 'position', after };
  }
}

const refused = (reason: string): ReadCursor => ({ kind: 'refused', reason });
