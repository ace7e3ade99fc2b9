import type { Uuid } from '../../domain/uuid.js';
import type { Requirement } from '../../search/evaluate/requirement.js';
import { RequirementIndex } from '../../search/evaluate/requirement-index.js';
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
  /** What a record bears that meets the test; undefined where it cannot be told. */
  readonly requirement: Requirement | undefined;
}

/** The live subscriptions of one topic, as of a revision of it. */
export class RegisteredTopic {
  /** Below every revision: nothing was read yet. */
  revision = -1n;
  private readonly byId = new Map<Uuid, RegisteredSubscription>();
  /** Sent every event. */
  private readonly unrestricted = new Set<Uuid>();
  /** Of whom it is not known which records they need not be tried on. */
  private readonly rest = new Set<Uuid>();
  private readonly index = new RequirementIndex();
  private readonly watches = new Set<Set<Uuid>>();
  private sum = 0n;
  private kept = 0;

  /** `roomForMarks`: how many more marks there may be; who asks for more is tried on every record. */
  constructor(private readonly roomForMarks: () => number) {}

  get(id: Uuid): RegisteredSubscription | undefined {
    return this.byId.get(id);
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

  get marks(): number {
    return this.index.size;
  }

  has(id: Uuid, revision: bigint): boolean {
    return this.byId.get(id)?.revision === revision;
  }

  set(subscription: RegisteredSubscription): void {
    const { id, test, requirement } = subscription;
    this.remove(id);
    this.byId.set(id, subscription);
    this.sum += subscription.revision;
    this.kept += subscription.keptBytes;
    if (test === 'unrestricted') this.unrestricted.add(id);
    else if (requirement === undefined || !this.index.add(id, requirement, this.roomForMarks())) this.rest.add(id);
    for (const watch of this.watches) watch.add(id);
  }

  remove(id: Uuid): void {
    const known = this.byId.get(id);
    if (known === undefined) return;
    this.byId.delete(id);
    this.unrestricted.delete(id);
    this.rest.delete(id);
    this.index.remove(id);
    this.sum -= known.revision;
    this.kept -= known.keptBytes;
  }

  /** Forgets all but these. */
  retain(ids: ReadonlySet<Uuid>): void {
    for (const id of this.byId.keys()) if (!ids.has(id)) this.remove(id);
  }

  /**
   * Whom a record can concern: the unrestricted, those of whom it is not known, and those who ask for a mark that it bears.
   * `marksOf` yields the marks of the aspects that are asked for. In steps, between which subscriptions may be set and removed:
   * those that are set meanwhile are among them, those that are removed may be.
   */
  *candidates(marksOf: (isAsked: (aspect: number) => boolean) => Iterable<number>): Generator<void, ReadonlySet<Uuid>> {
    const found = new Set([...this.unrestricted, ...this.rest]);
    this.watches.add(found);
    try {
      for (const mark of marksOf((aspect) => this.index.isAsked(aspect))) {
        this.index.collect(mark, found);
        yield;
      }
    } finally {
      this.watches.delete(found);
    }
    return found;
  }
}
