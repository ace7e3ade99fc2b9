import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

/** Sealed text: version, key id, nonce, ciphertext and tag, base64url, separated by dots. */
const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The message repeats nothing of the text. */
export class SealedTextError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SealedTextError';
  }
}

interface SealingKey {
  readonly sealKey: KeyObject;
  /** Identifies the key without revealing it. */
  readonly keyId: string;
}

/** Encrypts under a key derived from `SECRETS_KEY` (P-6); a previous key opens older data. */
export class SecretsBox {
  private readonly current: SealingKey;
  private readonly known: readonly SealingKey[];

  /** 32 bytes each. */
  constructor(secretsKey: Buffer, previous?: Buffer) {
    this.current = sealingKeyOf(secretsKey);
    this.known = [this.current, ...(previous === undefined ? [] : [sealingKeyOf(previous)])];
  }

  /** AES-256-GCM. `open` needs the same `purpose`, so that rows cannot be swapped. */
  seal(plain: string, purpose: string): string {
    const { sealKey, keyId } = this.current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', sealKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(`${VERSION}.${keyId}.${purpose}`));
    const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${keyId}.${sealed.toString('base64url')}`;
  }

  /** Throws `SealedTextError` for another key or purpose, or changed text. */
  open(sealed: string, purpose: string): string {
    const [version, keyId = '', body = '', ...rest] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    if (version !== VERSION || rest.length > 0 || bytes.length < NONCE_BYTES + TAG_BYTES) {
      throw new SealedTextError(`the ${purpose} in the database is not in a form that this release reads`);
    }
    const { sealKey } = this.keyOf(keyId, purpose);
    const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, NONCE_BYTES), {
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

  /** False for text under the previous key. */
  isCurrent(sealed: string): boolean {
    return keyIdOf(sealed) === this.current.keyId;
  }

  /** The sealing key's id, if it is unknown here. */
  foreignKeyOf(sealed: string): string | undefined {
    const keyId = keyIdOf(sealed);
    const isKnown = this.known.some((one) => one.keyId === keyId);
    return !sealed.startsWith(`${VERSION}.`) || keyId === '' || isKnown ? undefined : keyId;
  }

  private keyOf(keyId: string, purpose: string): SealingKey {
    const key = this.known.find((one) => one.keyId === keyId);
    if (key !== undefined) return key;
    const [these, are] = this.known.length > 1 ? ['these', 'are keys'] : ['this', 'is key'];
    throw new SealedTextError(
      `SECRETS_KEY is not the one under which the database keeps its secrets: ` +
        `the ${purpose} was sealed under key ${keyId}, and ${these} ${are} ${this.known.map((one) => one.keyId).join(', ')}`,
    );
  }
}

const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? '';

function sealingKeyOf(secretsKey: Buffer): SealingKey {
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secretsKey, '', `matricula ${purpose} ${VERSION}`, bytes));
  return {
    sealKey: createSecretKey(derive('sealed text', 32)),
    keyId: derive('key id', 6).toString('base64url'),
  };
}
