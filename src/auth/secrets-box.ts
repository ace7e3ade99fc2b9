import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Sealed text: version, id of the key, then nonce, ciphertext and tag, in base64url between dots. */
const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed text cannot be opened: the message says why, and repeats nothing of the text. */
export class SealedTextError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SealedTextError';
  }
}

/**
 * What is done with `SECRETS_KEY` (P-6, A-8): client secrets are hashed, and what must be read again is encrypted, each
 * under a key of its own that is derived from it.
 */
export class SecretsBox {
  private readonly hashKey: Buffer;
  private readonly sealKey: Buffer;
  /** Tells two keys apart without telling anything of them. */
  private readonly keyId: string;

  /** `secretsKey`: 32 bytes. */
  constructor(secretsKey: Buffer) {
    const derive = (purpose: string, bytes: number): Buffer =>
      Buffer.from(hkdfSync('sha256', secretsKey, '', `matricula ${purpose} ${VERSION}`, bytes));
    this.hashKey = derive('client secret hash', 32);
    this.sealKey = derive('sealed text', 32);
    this.keyId = derive('key id', 6).toString('base64url');
  }

  /** HMAC-SHA-256 of a client secret. */
  hashClientSecret(clientSecret: string): Buffer {
    return createHmac('sha256', this.hashKey).update(clientSecret).digest();
  }

  /** Encrypts with AES-256-GCM. Only `open` with the same `purpose` reads it again, so that no row can stand in for another. */
  seal(plain: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.sealKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(`${VERSION}.${this.keyId}.${purpose}`));
    const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${this.keyId}.${sealed.toString('base64url')}`;
  }

  /** The text that was sealed. Throws `SealedTextError` under another key, for another purpose, or when it was changed. */
  open(sealed: string, purpose: string): string {
    const [version, keyId = '', body = '', ...rest] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    if (version !== VERSION || rest.length > 0 || bytes.length < NONCE_BYTES + TAG_BYTES) {
      throw new SealedTextError(`the ${purpose} in the database is not in a form that this release reads`);
    }
    if (keyId !== this.keyId) {
      throw new SealedTextError(
        `SECRETS_KEY is not the one under which the database keeps its secrets: ` +
          `the ${purpose} was sealed under key ${keyId}, and this is key ${this.keyId}`,
      );
    }
    const decipher = createDecipheriv('aes-256-gcm', this.sealKey, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(`${VERSION}.${keyId}.${purpose}`));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      return plain.toString('utf8');
    } catch (cause) {
      throw new SealedTextError(`the ${purpose} in the database was changed after it was sealed`, { cause });
    }
  }
}
