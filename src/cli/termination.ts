import { constants } from 'node:os';

import { tell } from './output.js';

/** How an operator asks a process to end: SIGTERM, and Ctrl-C in a terminal. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Calls `listener` at each such signal, instead of the default end. */
export function onTermination(listener: (signal: NodeJS.Signals) => void): void {
  for (const signal of SIGNALS) process.on(signal, listener);
}

export function offTermination(listener: (signal: NodeJS.Signals) => void): void {
  for (const signal of SIGNALS) process.off(signal, listener);
}

/**
 * Ends the process at once, with the exit code that shells use for the signal. Unlike the default this emits the `exit`
 * event, where the embedded server is told to stop. Postgres rolls back open transactions.
 */
export function endAtOnce(signal: NodeJS.Signals): never {
  tell(`Ended by ${signal}.`);
  process.exit(128 + constants.signals[signal]);
}
