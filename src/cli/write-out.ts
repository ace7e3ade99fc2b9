import { writeFile } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';

const writeWhole = promisify(writeFile);

/** Throws EPIPE without a reader: see `outliveReaders`. */
export async function writeOut(text: string): Promise<void> {
  const stdout: Writable & { readonly fd: number } = process.stdout;
  // Streams ignore partial writes on a full disk.
  if (!(stdout instanceof Socket)) return writeWhole(stdout.fd, text);
  await new Promise<void>((resolve, reject) => {
    stdout.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

const pass = (): void => undefined;

/** `writeOut` reports EPIPE instead: a log process may end before the service. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off('error', pass).on('error', pass);
}
