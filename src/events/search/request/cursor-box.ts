import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';

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
