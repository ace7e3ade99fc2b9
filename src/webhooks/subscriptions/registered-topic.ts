import type { Uuid } from '../../domain/uuid.js';
import type { RecordTest } from '../record-filter/record-filter.js';

/** One subscription, as far as whom a change concerns. */
export interface RegisteredSubscription {
  readonly id: Uuid;
  /** Of what is said here, in the database. */
  readonly revision: bigint;
  /** `unrestricted` is sent every event of the topic; `not kept` is read again for each change. */
  readonly test: RecordTest | 'unrestricted' | 'not kept';
  /** The length of the query whose test is kept. */
  readonly keptBytes: number;
}

/** The live subscriptions of one topic, as of a revision of it. */
export class RegisteredTopic {
  /** Below every revision: nothing was read yet. */
  revision = -1n;
  private readonly byId = new Map<Uuid, RegisteredSubscription>();
  private sum = 0n;
  private kept = 0;

  get subscriptions(): Iterable<RegisteredSubscription> {
    return this.byId.values();
  }

  get count(): number {
    return this.byId.size;
  }

  /** Of the revisions of all: tells whether these are the ones that the database has. */
  get sumOfRevisions(): bigint {
    return this.sum;
  }

  get keptBytes(): number {
    return this.kept;
  }

  has(id: Uuid, revision: bigint): boolean {
    return this.byId.get(id)?.revision === revision;
  }

  set(subscription: RegisteredSubscription): void {
    this.remove(subscription.id);
    this.byId.set(subscription.id, subscription);
    this.sum += subscription.revision;
    this.kept += subscription.keptBytes;
  }

  remove(id: Uuid): void {
    const known = this.byId.get(id);
    if (known === undefined) return;
    this.byId.delete(id);
    this.sum -= known.revision;
    this.kept -= known.keptBytes;
  }

  /** Forgets all but these. */
  retain(ids: ReadonlySet<Uuid>): void {
    for (const id of this.byId.keys()) if (!ids.has(id)) this.remove(id);
  }
}
