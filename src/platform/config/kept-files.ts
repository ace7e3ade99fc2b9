import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { errorCode } from '../../kernel/errors/error-code.js';

/** Answers of file systems that cannot do it for a directory, or do not let us open one. */
const NOT_FOR_DIRECTORIES: ReadonlySet<unknown> = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

/** A name in `directory` survives a power failure from here on, whether it was created or renamed. */
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

/** Creates `directory` and what it lies in, unless they are there, so that they survive a power failure. */
export function makeKeptDirectory(directory: string): void {
  const whole = resolve(directory);
  const first = mkdirSync(whole, { recursive: true });
  if (first === undefined) return;
  for (let made = whole; made.length >= resolve(first).length; made = dirname(made)) syncDirectory(dirname(made));
}

/** A new file that only its owner reads; its content is on the disk, its name is not before `syncDirectory`. */
export function writeSynced(path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Replaces the file as a whole: whatever happens meanwhile, it has the old content or the new one. */
export function replaceSynced(path: string, content: string): void {
  const draft = `${path}.new`;
  // An earlier attempt may have ended here.
  rmSync(draft, { force: true });
  writeSynced(draft, content);
  renameSync(draft, path);
  syncDirectory(dirname(path));
}
