import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../../kernel/errors/service-error.js';

/** File systems that cannot sync or open a directory. */
const NOT_FOR_DIRECTORIES: ReadonlySet<unknown> = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

/** Makes created and renamed files of the directory survive a power failure. */
export function syncDirectory(directory: string): void {
  try {
    const handle = openSync(directory, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (!NOT_FOR_DIRECTORIES.has(errorCode(error))) throw error;
  }
}

/** Creates `directory` and its missing parents durably. */
export function makeKeptDirectory(directory: string): void {
  const whole = resolve(directory);
  const first = mkdirSync(whole, { recursive: true });
  if (first === undefined) return;
  for (let made = whole; made.length >= resolve(first).length; made = dirname(made)) syncDirectory(dirname(made));
}

/** Creates a file that only its owner reads and syncs its content; its name needs `syncDirectory`. */
export function writeSynced(path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Replaces a file atomically. */
export function replaceSynced(path: string, content: string): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeSynced(draft, content);
  renameSync(draft, path);
  syncDirectory(dirname(path));
}
