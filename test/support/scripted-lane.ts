import { ShaSecrets } from '../../src/auth/clients/sha-secrets.js';
import { Secret } from '../../src/platform/config/secret.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import type { Exchange } from '../../src/platform/outbound/exchange.js';
import type { DueDelivery, Held } from '../../src/webhooks/delivery/due-deliveries.js';
import { BeginTurns } from '../../src/webhooks/delivery/lanes/begin-turns.js';
import { ReadTurns } from '../../src/webhooks/delivery/lanes/read-turns.js';
import type { SessionTools } from '../../src/webhooks/delivery/lanes/session-tools.js';

/** Of a delivery, or the lane itself. */
export const id = (at: number): Uuid => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` as Uuid;
/** One that is due. */
export const delivery = (at: number): DueDelivery => ({
  id: id(at),
  format: 'standard',
  body: Buffer.from('{}'),
  correlationId: 'one',
  failures: 0,
  dueMs: 0,
  shaSecretGeneration: 0,
});

const NOTHING = { headers: {}, body: Buffer.alloc(0), whole: true };
/** An acknowledgement. */
export const ANSWERED: Exchange = { kind: 'answered', status: 200, ...NOTHING, durationMs: 1 };

/** A lane for which a test decides what is due, and when each delivery is recorded. */
export class ScriptedLane {
  readonly noted = new Map<string, () => void>();
  readonly due: DueDelivery[] = [];
  /** Exchanges that wait for their answer, once `answers` is false. */
  readonly asked: ((exchange: Exchange) => void)[] = [];
  /** Of deliveries, as their attempts were handed over to be recorded. */
  readonly notes: string[] = [];
  reads = 0;
  private reading: Promise<void> = Promise.resolve();
  answers = true;
  /** Whether attempts are recorded as soon as they are handed over. */
  notesAtOnce = false;
  released = false;
  lingers = false;
  /** Since when its process is known to be alive. */
  heldMs = 0;

  readonly tools: SessionTools = {
    lanes: {
      release: () => {
        this.released = true;
        return Promise.resolve();
      },
    },
    due: {
      open: () => Promise.resolve(this.held()),
      take: async () => {
        const held = this.held();
        await this.reading;
        return held;
      },
    },
    turns: new ReadTurns(),
    beginnings: new BeginTurns(),
    settlements: {
      note: ({ deliveryId }) => {
        this.notes.push(deliveryId);
        if (this.notesAtOnce) return Promise.resolve();
        return new Promise((resolve) => this.noted.set(deliveryId, resolve));
      },
    },
    client: {
      exchange: ({ isWanted }) => {
        isWanted?.();
        return this.answers ? Promise.resolve(ANSWERED) : new Promise((resolve) => this.asked.push(resolve));
      },
    },
    metrics: { observe: () => undefined },
    scheduleSeconds: [1],
    leaseMs: 600_000,
    timeoutMs: 1_000,
    random: () => 0,
    onFault: (fault) => {
      throw fault;
    },
    isHolding: (sinceMs) => sinceMs >= this.heldMs,
    mayLinger: () => this.lingers,
    shareOf: (_, isProved) => ({ underWay: isProved ? 5 : 1, read: { most: 10, bytes: 1_000_000 } }),
  };

  /** What is read from now on arrives when the returned function is called, as it was when it was read. */
  holdReading(): () => void {
    let end: () => void = () => undefined;
    this.reading = new Promise((resolve) => (end = resolve));
    return () => {
      end();
    };
  }

  private held(): Held {
    this.reads += 1;
    return {
      clientId: id(0),
      callback: 'https://subscriber.example/hook',
      secrets: new ShaSecrets({ generation: 0, sealed: '' }, [], () => new Secret('secret')),
      nowMs: 0,
      deliveries: this.due.splice(0),
      more: false,
    };
  }
}
