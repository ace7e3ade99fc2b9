import type { Uuid } from '../../domain/uuid.js';
import type { Requirement } from '../../search/evaluate/requirement.js';
import { RequirementIndex } from '../../search/evaluate/requirement-index.js';
import type { RecordTest } from '../record-filter/record-filter.js';

/** The part of a subscription that decides which changes concern it. */
export interface RegisteredSubscription {
  readonly id: Uuid;
  /** The database's revision of this data. */
  readonly revision: bigint;
  /** `unrestricted` is sent every event of the topic; `not kept` is read again when a change may concern it. */
  readonly test: RecordTest | 'unrestricted' | 'not kept';
  /** The length of the query whose test is kept. */
  readonly keptBytes: number;
  /** What a record that meets the test has; undefined if that is not known. */
  readonly requirement: Requirement | undefined;
}

/**
 * What is remembered of a subscription beside its marks. Not its requirement, which is a tree of hundreds of objects:
 * thousands of those would hold the process whenever its memory is collected.
 */
type Remembered = Pick<RegisteredSubscription, 'revision' | 'test' | 'keptBytes'>;

/** The live subscriptions of one topic, as of a revision. */
export class RegisteredTopic {
  /** Below every revision: nothing has been read yet. */
  revision = -1n;
  private readonly byId = new Map<Uuid, Remembered>();
  /** These are sent every event. */
  private readonly unrestricted = new Set<Uuid>();
  /** Those without a known requirement, which are checked on every record. */
  private readonly rest = new Set<Uuid>();
  private readonly index = new RequirementIndex();
  private readonly watches = new Set<Set<Uuid>>();
  private sum = 0n;
  private kept = 0;

  /** `roomForMarks`: how many more marks fit; a subscription that needs more is checked on every record. */
  constructor(private readonly roomForMarks: () => number) {}

  get(id: Uuid): Remembered | undefined {
    return this.byId.get(id);
  }

  get count(): number {
    return this.byId.size;
  }

  /** The sum of all revisions: tells whether these are the ones in the database. */
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

  set({ id, revision, test, keptBytes, requirement }: RegisteredSubscription): void {
    this.remove(id);
    this.byId.set(id, { revision, test, keptBytes });
    this.sum += revision;
    this.kept += keptBytes;
    if (test === 'unrestricted') this.unrestricted.add(id);
    else if (requirement === undefined || !this.index.add(id, requirement, this.roomForMarks())) this.rest.add(id);
    for (const watch of this.watches) watch.add(id);
  }

  /** Keeps the test that was made for this revision, of a query of so many bytes. */
  keep(id: Uuid, revision: bigint, test: RecordTest, bytes: number): void {
    const known = this.byId.get(id);
    if (known?.revision !== revision || known.test !== 'not kept') return;
    this.byId.set(id, { revision, test, keptBytes: bytes });
    this.kept += bytes;
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

  /** Removes all but these. */
  retain(ids: ReadonlySet<Uuid>): void {
    for (const id of this.byId.keys()) if (!ids.has(id)) this.remove(id);
  }

  /**
   * The subscriptions that a record may concern: the unrestricted, those without a known requirement, and those that
   * ask for a mark that it has. `marksOf` yields the marks of the requested aspects. In steps, between which
   * subscriptions may be set and removed: those set meanwhile are included, those removed may be.
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
