import type { Spread } from '../measure/spread.js';
import { spreadOf } from '../measure/spread.js';
import type { Service } from '../service/service.js';
import type { Draws } from './query-kinds.js';
import type { EventWritten } from './written-events.js';
import { certified, drawEvent, tellOf } from './written-events.js';

export interface WritesFound {
  readonly callers: number;
  /** What is written: an event that is new, or a further action of one that is there. */
  readonly what: 'registration' | 'certificate';
  readonly perSecond: number;
  readonly ms: Spread;
}

const CALLERS = [1, 4];

/**
 * How many registrations, and certificates printed of them, the service takes in a second through the trigger feed, one
 * event and one transaction a request. What it writes stays in the database.
 */
export async function writes(service: Service, draws: Draws, seconds: number): Promise<WritesFound[]> {
  const found: WritesFound[] = [];
  for (const callers of CALLERS) {
    const registered: EventWritten[] = [];
    found.push({
      callers,
      what: 'registration',
      ...(await repeated(callers, seconds, async () => {
        const event = drawEvent(draws);
        const ms = await tellOf(service, 'REGISTER', event);
        registered.push(event);
        return ms;
      })),
    });
    found.push({
      callers,
      what: 'certificate',
      ...(await repeated(callers, seconds, async () => {
        const event = registered.pop();
        return event === undefined ? undefined : tellOf(service, 'PRINT_CERTIFICATE', certified(event));
      })),
    });
  }
  return found;
}

/** Repeats it until the time is over or it yields no more. */
async function repeated(
  callers: number,
  seconds: number,
  write: () => Promise<number | undefined>,
): Promise<Pick<WritesFound, 'perSecond' | 'ms'>> {
  const times: number[] = [];
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1_000;
  const call = async (): Promise<void> => {
    while (elapsed() < seconds) {
      const ms = await write();
      if (ms === undefined) return;
      times.push(ms);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { perSecond: times.length / elapsed(), ms: spreadOf(times) };
}
