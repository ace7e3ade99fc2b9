import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const LIBRARY_PLACES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`,
);
const PRELOAD = 'test/faults/shift-clock.mjs';

/**
 * The environment of a process whose wall clock is off by so much: through libfaketime where there is one, which also
 * shifts what libraries read, else by a module that shifts `Date`. Timers go on as ever, as they do where clocks are
 * off.
 */
export function shiftedClock(byMs: number): Readonly<Record<string, string>> {
  const library = LIBRARY_PLACES.find((path) => existsSync(path));
  if (library === undefined) {
    return { NODE_OPTIONS: `--import ${pathToFileURL(resolve(PRELOAD)).href}`, CLOCK_OFF_MS: String(byMs) };
  }
  const seconds = byMs / 1_000;
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}
