import { constants } from 'node:os';

import { tell } from './output.js';

/** How an operator asks a process to end: SIGTERM, and Ctrl-C in a terminal. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** What is done at the next signal; undefined until the first `onTermination`. */
let respond: ((signal: NodeJS.Signals) => void) | undefined;

/**
 * Calls `listener` at each such signal, instead of the default end or the listener before. The process listens without
 * a gap: a signal that has arrived when its last listener is removed would be lost.
 */
export function onTermination(listener: (signal: NodeJS.Signals) => void): void {
  const isFirst = respond === undefined;
  respond = listener;
  if (isFirst) for (const signal of SIGNALS) process.on(signal, (received) => respond?.(received));
}

/** Resolves at the first signal. From the second one on the process ends at once. */
export function askedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    onTermination(() => {
      onTermination(endAtOnce);
      resolve();
    });
  });
}

/**
 * Ends the process at once, with the exit code that shells use for the signal. Unlike the default this emits the `exit`
 * event, where the embedded server is told to stop. Postgres rolls back open transactions.
 */
export function endAtOnce(signal: NodeJS.Signals): never {
  tell(`Ended by ${signal}.`);
  process.exit(128 + constants.signals[signal]);
}
