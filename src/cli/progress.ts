import { SingleBar } from 'cli-progress';
import { answer, tell } from './output.js';
import type { RejectsFile } from './rejects-file.js';

/** `total` is 0 if unknown. */
export interface Progress {
  update(done: number, note?: string): void;
  stop(): void;
}

export type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

const PLAIN_LINE_MS = 5_000;

/** A bar on a terminal, otherwise a line every five seconds; on standard error (P-10). `from`: done before. */
export function startProgress(
  label: string,
  total: number,
  unit: string,
  stream: OutputStream = process.stderr,
  from = 0,
): Progress {
  return stream.isTTY === true && total > 0
    ? bar(label, total, unit, stream, from)
    : lines(label, total, unit, stream, from);
}

function bar(label: string, total: number, unit: string, stream: OutputStream, from: number): Progress {
  const startedMs = Date.now();
  const single = new SingleBar({
    stream,
    hideCursor: true,
    etaBuffer: 100,
    format: `${label} [{bar}] {percentage}% | {value}/{total} ${unit} | {rate} ${unit}/s | {left} left {note}`,
  });
  single.start(total, 0, { rate: 0, left: '–', note: '' });
  // Restores the cursor on Ctrl-C.
  const stop = (): void => {
    process.off('exit', stop);
    single.stop();
  };
  process.once('exit', stop);
  return {
    update: (done, note = '') => {
      single.update(done, { ...pace(done - from, total - from, Date.now() - startedMs), note });
    },
    stop,
  };
}

function lines(label: string, total: number, unit: string, stream: OutputStream, from: number): Progress {
  const startedMs = Date.now();
  let lastMs = startedMs;
  let latest: string | undefined;
  return {
    update: (done, note = '') => {
      const nowMs = Date.now();
      const { rate, left } = pace(done - from, total - from, nowMs - startedMs);
      const isKnown = total > 0;
      const amount = isKnown ? `${done}/${total} ${unit}` : `${done} ${unit}`;
      const parts = [amount, `${rate} ${unit}/s`, ...(isKnown ? [`${left} left`] : []), ...(note === '' ? [] : [note])];
      latest = `${label}: ${parts.join(', ')}\n`;
      if (nowMs - lastMs < PLAIN_LINE_MS) return;
      lastMs = nowMs;
      stream.write(latest);
      latest = undefined;
    },
    stop: () => {
      if (latest !== undefined) stream.write(latest);
    },
  };
}

function pace(done: number, total: number, elapsedMs: number): { rate: number; left: string } {
  const rate = done / Math.max(elapsedMs / 1_000, 0.001);
  const secondsLeft = rate > 0 ? Math.ceil(Math.max(total - done, 0) / rate) : undefined;
  return { rate: Math.round(rate), left: secondsLeft === undefined ? '–' : duration(secondsLeft) };
}

const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${String(seconds % 60)} s`;

export interface FileImport {
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  readonly rejects: RejectsFile;
  readonly json: boolean;
}

/** Shows the progress of an import, answers with its counts, and says where rejected lines are. */
export async function importing<C extends object>(
  { size, rejects, json }: Omit<FileImport, 'file'>,
  run: (progress: Progress) => Promise<C>,
  shown: (counts: C) => string,
): Promise<void> {
  const progress = startProgress('Importing', size, 'bytes');
  try {
    const counts = await run(progress).finally(() => {
      progress.stop();
    });
    await rejects.complete();
    await answer(json, counts, shown(counts));
  } finally {
    await rejects.close();
  }
  if (rejects.count > 0) tell(`The rejected lines and their faults are in ${rejects.path}.`);
}
