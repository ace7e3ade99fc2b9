import type { Service } from '../service/service.js';
import { mixedLoad } from './mixed-load.js';

export interface MemoryFound {
  readonly minutes: number;
  readonly searches: number;
  readonly serverErrors: number;
  /** Megabytes of RAM before, after each tenth, and at the most. */
  readonly before: number;
  readonly tenths: readonly number[];
  readonly peak: number;
}

/** The memory of the service under the mixed load of four callers. */
export async function memoryUnderLoad(
  service: Service,
  bodies: readonly object[],
  minutes: number,
  tell: (line: string) => void,
): Promise<MemoryFound> {
  const before = Math.round(service.memory.now);
  const tenths: number[] = [];
  let [searches, serverErrors] = [0, 0];
  const seconds = Math.max(1, minutes * 6 - 3);
  for (let tenth = 0; tenth < 10; tenth++) {
    const found = await mixedLoad(service, bodies, { callers: 4, seconds });
    searches += found.ms.runs;
    serverErrors += found.serverErrors;
    tenths.push(found.memory);
    tell(`memory: ${found.memory} MB after ${((tenth + 1) * minutes) / 10} minutes`);
  }
  return { minutes, searches, serverErrors, before, tenths, peak: Math.round(service.memory.peak) };
}
