import { writeFile } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';

const writeWhole = promisify(writeFile);

/** Waits until standard output has accepted it. Throws EPIPE if nobody reads it any more: see `outliveReaders`. */
export async function writeOut(text: string): Promise<void> {
  const stdout: Writable & { readonly fd: number } = process.stdout;
  // A file: on a disk that fills up, the stream would take a part that was written for all of it.
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
 * From now on a write to standard output or standard error that nobody reads any more does not end the process: it is
 * for `writeOut` to say so, and what is only told is of no use then. The process of a log may end before the service
 * that is asked to end with it.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off('error', pass).on('error', pass);
}
