import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { SortKey, SortValues } from '../../../kernel/domain/search-request.js';

/** The scope of a cursor (S-15). */
export interface Walk {
  /** As JSON.parse made it. */
  readonly query: unknown;
  readonly sort: readonly SortKey[];
  /** `sub` of the access token. */
  readonly caller: string;
}

/** The order of keys in an object does not matter, the order of list items may. */
const fingerprintOf = ({ query, sort, caller }: Walk): string =>
  createHash('sha256')
    .update(JSON.stringify([query, sort, caller], withSortedKeys))
    .digest()
    .subarray(0, 16)
    .toString('base64url');

const withSortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const TAG_BYTES = 16;

/**
 * Cursors appear in logged URLs, and may concern persons (S-15). Deterministic authenticated encryption as in RFC 5297,
 * with HMAC-SHA-256 and AES-256-CTR: no nonce can repeat.
 */
export class CursorBox {
  // Node 24 takes longer to convert bytes to a key than for the rest.
  private readonly macKey: KeyObject;
  private readonly cipherKey: KeyObject;

  /** The 32 bytes of `SECRETS_KEY`. */
  constructor(secretsKey: Buffer) {
    const derive = (purpose: string): KeyObject =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secretsKey, '', `matricula search cursor ${purpose} v1`, 32)));
    this.macKey = derive('tag');
    this.cipherKey = derive('cipher');
  }

  /** Letters, digits, `-` and `_`. */
  seal(plain: string): string {
    const bytes = Buffer.from(plain, 'utf8');
    const tag = this.tagOf(bytes);
    const cipher = createCipheriv('aes-256-ctr', this.cipherKey, tag);
    return Buffer.concat([tag, cipher.update(bytes), cipher.final()]).toString('base64url');
  }

  /** Undefined for anything not sealed under this key. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    // Decoding ignores characters that are not base64url, and unused bits.
    if (bytes.length < TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined;
    const tag = bytes.subarray(0, TAG_BYTES);
    const decipher = createDecipheriv('aes-256-ctr', this.cipherKey, tag);
    const plain = Buffer.concat([decipher.update(bytes.subarray(TAG_BYTES)), decipher.final()]);
    return timingSafeEqual(tag, this.tagOf(plain)) ? plain.toString('utf8') : undefined;
  }

  private tagOf(plain: Buffer): Buffer {
    return createHmac('sha256', this.macKey).update(plain).digest().subarray(0, TAG_BYTES);
  }
}

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
