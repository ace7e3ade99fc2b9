import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors/service-error.js';
import type { Config } from '../../platform/config/config.js';
import { makeKeptDirectory, syncDirectory, writeSynced } from '../../platform/config/kept-files.js';

const FILE = 'secrets-key';
const KEY_BYTES = 32;

/** 32 bytes. Outside production, generated once under `DATA_DIR`, for its owner alone (P-6). */
export function secretsKeyOf(config: Pick<Config, 'SECRETS_KEY' | 'DATA_DIR' | 'production'>): Buffer {
  if (config.SECRETS_KEY !== undefined) return Buffer.from(config.SECRETS_KEY.reveal(), 'base64');
  if (config.production) throw new Error('SECRETS_KEY: missing; production makes none');
  const path = join(config.DATA_DIR, FILE);
  const kept = readKept(path) ?? makeOnce(config.DATA_DIR, path);
  const key = Buffer.from(kept.trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`${path} holds no secrets key: it must be 32 bytes in base64`);
  return key;
}

/** 32 bytes, while `SECRETS_KEY` is being changed (P-6). */
export const previousSecretsKeyOf = ({
  SECRETS_KEY_PREVIOUS,
}: Pick<Config, 'SECRETS_KEY_PREVIOUS'>): Buffer | undefined =>
  SECRETS_KEY_PREVIOUS === undefined ? undefined : Buffer.from(SECRETS_KEY_PREVIOUS.reveal(), 'base64');

function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Named once complete, never replaced, so that processes that start together share it. Flushed before use. */
function makeOnce(directory: string, path: string): string {
  makeKeptDirectory(directory);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeSynced(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(directory);
  return readFileSync(path, 'utf8');
}

const KEY = createSecretKey(randomBytes(32));

/** Reveals nothing about either value, including lengths. */
export function equalInConstantTime(left: string | Buffer, right: string | Buffer): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

const digest = (value: string | Buffer): Buffer => createHmac('sha256', KEY).update(value).digest();

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
    return sealed.split('.')[1] === this.current.keyId;
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

function sealingKeyOf(secretsKey: Buffer): SealingKey {
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secretsKey, '', `matricula ${purpose} ${VERSION}`, bytes));
  return {
    sealKey: createSecretKey(derive('sealed text', 32)),
    keyId: derive('key id', 6).toString('base64url'),
  };
}
