import { constants } from 'node:os';

import { tell } from './output.js';

/** SIGTERM, and Ctrl-C in a terminal. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Undefined until the first `onTermination`. */
let respond: ((signal: NodeJS.Signals) => void) | undefined;

/** Replaces the previous listener, without a gap that could lose signals. */
export function onTermination(listener: (signal: NodeJS.Signals) => void): void {
  const isFirst = respond === undefined;
  respond = listener;
  if (isFirst) for (const signal of SIGNALS) process.on(signal, (received) => respond?.(received));
}

/** Resolves at the first signal; the second ends the process. */
export function askedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    onTermination(() => {
      onTermination(endAtOnce);
      resolve();
    });
  });
}

/** With the shell's exit code. Emits `exit`, which stops the embedded server; Postgres rolls back transactions. */
export function endAtOnce(signal: NodeJS.Signals): never {
  tell(`Ended by ${signal}.`);
  process.exit(128 + constants.signals[signal]);
}
