import { writeFile } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { ServerState } from '../platform/database/connection/server-watch.js';

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

/** On standard output, with `--json` as JSON (P-10). Throws EPIPE without a reader: some answers are given once. */
export const answer = (json: boolean, value: unknown, lines: string | readonly string[]): Promise<void> =>
  writeOut(`${json ? JSON.stringify(value) : [lines].flat().map(shown).join('\n')}\n`);

/** Standard error, for everything except the answer. */
export function tell(text: string): void {
  process.stderr.write(`${text.split('\n').map(shown).join('\n')}\n`);
}

/** Terminals obey control characters, line breaks and text directions. */
const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const shown = (line: string): string =>
  line.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A page of a log of outgoing messages, and how to get the next one. */
export const pageLines = <T>(
  page: readonly T[],
  cursor: string | null,
  lineOf: (view: T) => string,
  none: string,
): readonly string[] =>
  page.length === 0
    ? [none]
    : [...page.map(lineOf), ...(cursor === null ? [] : [`There are more: --cursor ${cursor}`])];

export function attemptsLine(
  attempts: readonly { readonly error: string | null; readonly status: number | null }[],
): string {
  const last = attempts.at(-1);
  return `attempts: ${attempts.length}${last === undefined ? '' : `, the last: ${last.error ?? last.status ?? ''}`}`;
}

type Told = ServerState | 'another';

/** A waiting command would seem to hang. */
export const tellOfServer = (state: Told): void => {
  tell(SERVER_STATES[state]);
};

const SERVER_STATES: Readonly<Record<Told, string>> = {
  up: 'The database can be used again.',
  down: 'The database does not answer; waiting for it.',
  standby: 'The database is a standby now, and the primary is needed.',
  full: 'The disk of the database is full.',
  'read-only': 'The database takes no writes.',
  another: 'The database server is another than before, or was started again.',
};

/** Printed once when a migration must try again (P-7). */
export const tellOfWaiting = (): void => {
  tell('Migrations wait for other processes, which migrate too or use the tables that they change; trying again.');
};
