import type { SortValues } from '../../../kernel/domain/search-request.js';
import { CursorBox } from './cursor-box.js';
import { fingerprintOf, type Walk } from './walk.js';

/** Longer cursors do not fit into a header. */
const LONGEST_CURSOR = 8_192;

type Content = readonly [fingerprint: string, values: SortValues];

export type ReadCursor =
  { readonly kind: 'position'; readonly after: SortValues } | { readonly kind: 'refused'; readonly reason: string };

/** A cursor (S-15) holds sort values, so the next page costs the same at any depth. */
export class Cursors {
  private readonly box: CursorBox;
  private readonly previous: CursorBox | undefined;

  /** The 32 bytes of `SECRETS_KEY`, and of `SECRETS_KEY_PREVIOUS`, whose cursors are accepted too (P-6). */
  constructor(secretsKey: Buffer, previous?: Buffer) {
    this.box = new CursorBox(secretsKey);
    this.previous = previous && new CursorBox(previous);
  }

  /** Undefined when the values are too long. */
  write(walk: Walk, values: SortValues): string | undefined {
    const content: Content = [fingerprintOf(walk), values];
    const cursor = this.box.seal(JSON.stringify(content));
    return cursor.length > LONGEST_CURSOR ? undefined : cursor;
  }

  /** Refuses a cursor of another walk or service. */
  read(cursor: string, walk: Walk): ReadCursor {
    const plain = this.box.open(cursor) ?? this.previous?.open(cursor);
    if (plain === undefined) return refused('must be one that an answer of this service gave, unchanged');
    // Only this service can have created it.
    const [fingerprint, after] = JSON.parse(plain) as Content;
    if (fingerprint !== fingerprintOf(walk)) return refused('belongs to another query, sort or client');
    return { kind: 'position', after };
  }
}

const refused = (reason: string): ReadCursor => ({ kind: 'refused', reason });
