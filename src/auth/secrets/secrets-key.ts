import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '../../platform/config/config.js';
import { makeKeptDirectory, syncDirectory, writeSynced } from '../../platform/config/kept-files.js';
import { errorCode } from '../../kernel/errors/service-error.js';

const FILE = 'secrets-key';
const KEY_BYTES = 32;

/**
 * 32 bytes. Outside production, generated once under `DATA_DIR`, readable only by the owner (P-6). Throws if
 * unreadable.
 */
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
