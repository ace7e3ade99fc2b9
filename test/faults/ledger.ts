import { createHash } from 'node:crypto';

/** One request as it reached a subscriber. */
export interface Notification {
  readonly eventId: string;
  /** `payload.id`. */
  readonly deliveryId: string;
  readonly body: Buffer;
}

/** What came of the events of one scenario. */
export interface Tally {
  /** Events that the service took in. */
  readonly events: number;
  /** Deliveries that are due: each event to each subscriber. */
  readonly due: number;
  /** Notifications that reached a subscriber, acknowledged or not. */
  readonly received: number;
  /** Deliveries that were acknowledged. */
  readonly delivered: number;
  readonly lost: number;
  /** Notifications that came after their subscriber had acknowledged the same id: what "at least once" allows. */
  readonly repeated: number;
  /** Deliveries that came under more than one id, or with more than one body. */
  readonly differing: number;
}

interface Seen {
  readonly ids: Set<string>;
  readonly digests: Set<string>;
  received: number;
  acknowledged: number;
}

/** Counts, by what went into the service and what its subscribers saw alone. */
export class Ledger {
  private readonly events = new Set<string>();
  /** For each subscriber, what it saw of each event. */
  private readonly subscribers: Map<string, Seen>[] = [];

  /** A subscriber that every event is due to. */
  addSubscriber(): SubscriberLedger {
    const seen = new Map<string, Seen>();
    this.subscribers.push(seen);
    return new SubscriberLedger(seen);
  }

  /** The service has answered 2xx to the event: from here on it must not be lost. */
  take(eventId: string): void {
    this.events.add(eventId);
  }

  get taken(): number {
    return this.events.size;
  }

  /** Events that a subscriber was notified of, and that the service has not taken, or not said so yet. */
  get strangers(): readonly string[] {
    return this.subscribers.flatMap((seen) => [...seen.keys()]).filter((eventId) => !this.events.has(eventId));
  }

  tally(): Tally {
    const all = this.subscribers.flatMap((seen) => [...seen]);
    const seen = all.filter(([eventId]) => this.events.has(eventId)).map(([, one]) => one);
    const due = this.events.size * this.subscribers.length;
    const delivered = seen.filter(({ acknowledged }) => acknowledged > 0).length;
    return {
      events: this.events.size,
      due,
      received: sum(seen.map(({ received }) => received)),
      delivered,
      lost: due - delivered,
      repeated: sum(seen.map(({ acknowledged }) => Math.max(0, acknowledged - 1))),
      differing: seen.filter(({ ids, digests }) => ids.size > 1 || digests.size > 1).length,
    };
  }
}

/** What one subscriber saw. */
export class SubscriberLedger {
  constructor(private readonly seen: Map<string, Seen>) {}

  /** Of how many events it has acknowledged a notification. */
  get acknowledged(): number {
    return [...this.seen.values()].filter(({ acknowledged }) => acknowledged > 0).length;
  }

  receive({ eventId, deliveryId, body }: Notification): void {
    const seen = this.seen.get(eventId) ?? { ids: new Set(), digests: new Set(), received: 0, acknowledged: 0 };
    this.seen.set(eventId, seen);
    seen.ids.add(deliveryId);
    seen.digests.add(createHash('sha256').update(body).digest('base64'));
    seen.received += 1;
  }

  acknowledge({ eventId }: Notification): void {
    const seen = this.seen.get(eventId);
    if (seen !== undefined) seen.acknowledged += 1;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
