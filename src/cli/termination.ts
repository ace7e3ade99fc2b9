import { constants } from 'node:os';

import { tell } from './output.js';

/** SIGTERM, and Ctrl-C in a terminal. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Undefined until the first `onTermination`. */
let respond: ((signal: NodeJS.Signals) => void) | undefined;

/** Replaces the previous listener and the default end. The process listens without a gap, so that no signal is lost. */
export function onTermination(listener: (signal: NodeJS.Signals) => void): void {
  const isFirst = respond === undefined;
  respond = listener;
  if (isFirst) for (const signal of SIGNALS) process.on(signal, (received) => respond?.(received));
}

/** Resolves at the first signal; the second one ends the process at once. */
export function askedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    onTermination(() => {
      onTermination(endAtOnce);
      resolve();
    });
  });
}

/**
 * Exits with the shell's code for the signal. Unlike the default this emits `exit`, which stops the embedded server.
 * Postgres rolls back open transactions.
 */
export function endAtOnce(signal: NodeJS.Signals): never {
  tell(`Ended by ${signal}.`);
  process.exit(128 + constants.signals[signal]);
}
