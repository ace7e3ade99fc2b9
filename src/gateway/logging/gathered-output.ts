import type { DestinationStream } from 'pino';
import { destination } from 'pino';

/** No line waits longer than this. */
const GATHER_MS = 20;
const MOST_CHARACTERS = 64 * 1_024;

/**
 * Standard output, to which the lines of some milliseconds go together: to write each by itself costs a busy process more
 * than to make it. What still waits is written when the process ends, however it ends short of being killed.
 */
export function gatheredOutput(output: DestinationStream = destination(process.stdout.fd)): DestinationStream {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = '';
    if (lines !== '') output.write(lines);
  };
  process.once('exit', flush);
  return {
    write: (line) => {
      waiting += line;
      if (waiting.length > MOST_CHARACTERS) flush();
      else timer ??= setTimeout(flush, GATHER_MS).unref();
    },
  };
}
