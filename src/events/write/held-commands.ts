import { MIB } from '../../kernel/domain/bytes.js';
import { QueueFull } from '../../platform/queue/fair-queue.js';
import type { Command } from './command.js';
import { beingChanged, MOST_WAIT_MS, tooMany } from './refusals.js';
import { type Portion, type Waiting, WaitingCommands } from './waiting-commands.js';
import type { Ended, Held, Outcome } from './write-batch.js';

export interface Pending extends Waiting {
  readonly command: Command<unknown>;
  /** Its turn has come; it can no longer be cancelled. */
  readonly begin: () => void;
  readonly settle: (outcome: Ended) => void;
}

interface HeldBy {
  /** With these numbers, and a short wait. */
  readonly attempt: (pending: Pending, numbers: readonly string[]) => Promise<Outcome>;
  readonly onReleased: () => void;
}

interface HeldCommand extends Waiting {
  readonly pending: Pending;
  readonly numbers: readonly string[];
  readonly untilMs: number;
  readonly end: (outcome: Ended) => void;
}

/**
 * Commands on locked events, one at a time, client by client, on a separate connection. Each waits briefly in the
 * database, so that locked events delay nobody else. A command is refused after 10 s.
 */
export class HeldCommands {
  private readonly waiting = new WaitingCommands<HeldCommand>(BOUNDS);
  private readonly events = new Map<string, HeldCommand>();
  private isRunning = false;

  constructor(private readonly by: HeldBy) {}

  get count(): number {
    return this.events.size;
  }

  /** In bytes, in total. */
  get size(): number {
    return [...this.events.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Others must not overtake its command. */
  has(eventId: string): boolean {
    return this.events.has(eventId);
  }

  /** At most one of each event. */
  add(pending: Pending, { numbers }: Held): void {
    const { client, eventId, size } = pending;
    const timer = setTimeout(() => {
      if (this.waiting.leave(held)) held.end(refused(beingChanged()));
    }, MOST_WAIT_MS);
    const held: HeldCommand = {
      client,
      eventId,
      size,
      pending,
      numbers,
      untilMs: performance.now() + MOST_WAIT_MS,
      refuse: (error) => {
        held.end(refused(error instanceof QueueFull ? tooMany(error) : error));
      },
      end: (outcome) => {
        clearTimeout(timer);
        this.events.delete(eventId);
        pending.settle(outcome);
        this.by.onReleased();
      },
    };
    this.events.set(eventId, held);
    this.waiting.add(held);
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const outcome = await this.by.attempt(next.pending, next.numbers);
      if (outcome.kind !== 'held') next.end(outcome);
      else if (performance.now() >= next.untilMs) next.end(refused(beingChanged()));
      else this.waiting.add(next);
    }
    this.isRunning = false;
  }

  private next(): HeldCommand | undefined {
    return this.waiting.take(ONE, () => false)[0];
  }
}

const BOUNDS = { mostWaiting: 2_000, mostBytes: 64 * MIB };
const ONE: Portion = { most: 1, mostBytes: 1, mayBeHeavy: true };

const refused = (error: unknown): Ended => ({ kind: 'refused', error });
