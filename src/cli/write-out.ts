import { writeFile } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';

const writeWhole = promisify(writeFile);

/** Waits until standard output has accepted it. Throws EPIPE if the reader is gone: see `outliveReaders`. */
export async function writeOut(text: string): Promise<void> {
  const stdout: Writable & { readonly fd: number } = process.stdout;
  // On a full disk the stream would take a partial write for a whole one.
  if (!(stdout instanceof Socket)) return writeWhole(stdout.fd, text);
  await new Promise<void>((resolve, reject) => {
    stdout.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

const pass = (): void => undefined;

/**
 * Keeps EPIPE on standard output or standard error from ending the process: `writeOut` reports it. A log process may
 * end before the service.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off('error', pass).on('error', pass);
}
