import { percentileOf } from './spread.js';

/** How many of something a second, and how long each took in ms. */
export interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Asks again and again, so many at once, while `goesOn`; `ask` is told which of the lines it is. */
export async function rate(atOnce: number, goesOn: () => boolean, ask: (line: number) => Promise<void>): Promise<Rate> {
  const beganMs = performance.now();
  const timesMs: number[] = [];
  const line = async (at: number): Promise<void> => {
    while (goesOn()) {
      const askedMs = performance.now();
      await ask(at);
      timesMs.push(performance.now() - askedMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, at) => line(at)));
  const seconds = (performance.now() - beganMs) / 1_000;
  return {
    perSecond: rounded(timesMs.length / seconds),
    p50: rounded(percentileOf(timesMs, 0.5)),
    p99: rounded(percentileOf(timesMs, 0.99)),
  };
}

/** For `rate`: for so long from now on. */
export const forMs = (ms: number): (() => boolean) => {
  const endMs = performance.now() + ms;
  return () => performance.now() < endMs;
};

/** To one place after the point. */
export const rounded = (value: number): number => Math.round(value * 10) / 10;
