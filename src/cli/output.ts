import type { ServerState } from '../platform/database/connection/server-watch.js';
import { writeOut } from './write-out.js';

/**
 * The answer of a command: on standard output, for machines with `--json` and for people without, in a line or several
 * (P-10). Throws EPIPE if nobody reads it any more: what it tells may be told this once.
 */
export const answer = (json: boolean, value: unknown, lines: string | readonly string[]): Promise<void> =>
  writeOut(`${json ? JSON.stringify(value) : [lines].flat().map(shown).join('\n')}\n`);

/** Everything that is not the answer goes to standard error. */
export function tell(text: string): void {
  process.stderr.write(`${text.split('\n').map(shown).join('\n')}\n`);
}

/**
 * Control characters, and those that break a line or turn its direction: terminals obey them, and names are chosen by
 * others.
 */
const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const shown = (line: string): string =>
  line.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

type Told = ServerState | 'another';

/** The database is in another state than before: without a word a command that waits for it would seem to hang. */
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
