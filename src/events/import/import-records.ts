import { MIB } from '../../kernel/domain/bytes.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { absurd, type Issue, ServiceError } from '../../kernel/errors/service-error.js';
import { isObject } from '../../kernel/input/checks.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { type NdjsonLine, ndjsonLines, valueOfLine } from '../../kernel/input/ndjson-lines.js';
import { TEXT } from '../../kernel/input/readers.js';
import { type Queryable, retryingDeadlocks } from '../../platform/database/connection/queryable.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { type Steps, stepwise, TimeSlice } from '../../platform/queue/time-slice.js';
import { filePathsOfActions, nameOwnFiles } from '../files/file-naming.js';
import { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import { readTerms } from '../index/terms/terms.js';
import { type Derivation, type IncomingEvent, type PreparedEvent, prepareEventSteps } from '../records/event-change.js';
import { checkEventSize, checkEventText } from '../records/declaration-size.js';
import { checkNames } from '../records/declaration-values.js';
import { parseEventDocument } from '../records/parse-event-document.js';
import { parseEventRecord } from '../records/parse-event-record.js';
import { sizeOfRow } from '../records/record-row.js';
import { type UniqueValue, type WriteOutcome, writeRecords, type WrittenEvent } from '../records/write-records.js';
import { HistoriesTooLong } from '../records/stored-events.js';
import { settledActions } from '../write/acceptance.js';
import type { ImportOptions, ImportResult, RejectedLine } from './import-options.js';
import { ImportSession } from './import-session.js';

/** The content of an import line: an event, or all its faults. */
export type ImportLine =
  | { readonly kind: 'event'; readonly event: IncomingEvent }
  | { readonly kind: 'rejected'; readonly id: string | undefined; readonly issues: readonly Issue[] };

/** A line with `actions` is an event document, any other an event record. */
export function parseImportLine(line: Pick<NdjsonLine, 'text' | 'fault'>): ImportLine {
  const faults = new BoundedFaults();
  checkEventText(line.text, faults);
  const value = faults.none ? valueOfLine(line, faults) : undefined;
  const members = isObject(value) ? value : {};
  // It is kept with the fault: of a hundred lines, and each may be a megabyte of an id.
  const id = TEXT.read(members['id']);
  if (faults.none) checkEventSize(value, faults, line.text.length);
  if (!faults.none) return { kind: 'rejected', id, issues: faults.issues };
  if (Object.hasOwn(members, 'actions')) {
    const parsed = parseEventDocument(value);
    return parsed.kind === 'faulty'
      ? { kind: 'rejected', id, issues: parsed.issues }
      : { kind: 'event', event: { kind: 'document', document: parsed.value } };
  }
  const parsed = parseEventRecord(value);
  if (parsed.kind === 'faulty') return { kind: 'rejected', id, issues: parsed.issues };
  const unseen = new BoundedFaults();
  checkNames(parsed.value.declaration, 'declaration', unseen);
  if (!unseen.none) return { kind: 'rejected', id, issues: unseen.issues };
  return { kind: 'event', event: { kind: 'record', record: parsed.value } };
}

/** A line of an import, to be written or rejected, with everything computed that can be before it is written. */
export type ImportEntry = { readonly line: NdjsonLine } & (
  | { readonly kind: 'event'; readonly event: PreparedEvent }
  | { readonly kind: 'rejected'; readonly id: string | undefined; readonly issues: readonly Issue[] }
);

/** A line, prepared; of its vocabulary, only unknown entries. */
function* importEntry(line: NdjsonLine, derivation: Derivation): Steps<ImportEntry> {
  const read = parseImportLine(line);
  if (read.kind === 'rejected') return { line, ...read };
  yield;
  const { event } = read;
  try {
    return { line, kind: 'event', event: yield* prepareEventSteps(event, derivation) };
  } catch (error) {
    const { id } = event.kind === 'record' ? event.record : event.document;
    return { line, kind: 'rejected', id, issues: issuesOf(error) };
  }
}

/** The faults for which an event is refused; throws everything else. */
function issuesOf(error: unknown): readonly Issue[] {
  if (error instanceof ServiceError && error.code === 'BAD_REQUEST') return error.issues;
  throw error;
}

/** The part that is kept after the commit: histories are long. */
type LineOutcome = Exclude<WriteOutcome, WrittenEvent> | Pick<WrittenEvent, 'kind'>;

const lineOutcomeOf = (outcome: WriteOutcome | undefined): LineOutcome | undefined =>
  outcome !== undefined && isWritten(outcome) ? { kind: outcome.kind } : outcome;

const isWritten = (outcome: WriteOutcome): outcome is WrittenEvent =>
  outcome.kind === 'created' || outcome.kind === 'updated';

const CONFLICTS = {
  trackingId: 'trackingId: is that of another event',
  registrationNumber: 'legalStatuses.REGISTERED.registrationNumber: is that of another event',
} as const;

/** The reason that a line is rejected for. */
const conflictWith = (on: UniqueValue): Issue => ({ message: CONFLICTS[on] });

/**
 * Resolves with the outcome of each event. `write` writes as many of the first as fit together, at least one, and
 * returns their outcomes. If their stored events do not fit in memory together, all are written one by one.
 */
export async function togetherOrAlone<E, O>(
  events: readonly E[],
  write: (events: readonly E[]) => Promise<readonly (readonly [E, O])[]>,
): Promise<ReadonlyMap<E, O>> {
  const outcomes = new Map<E, O>();
  for (let most = events.length; outcomes.size < events.length;) {
    const left = events.slice(outcomes.size);
    try {
      const written = await write(left.slice(0, most));
      if (written.length === 0) throw new Error('nothing has become of the first event');
      for (const [event, outcome] of written) outcomes.set(event, outcome);
      // More would hardly fit, and be read for nothing.
      most = 2 * written.length;
    } catch (error) {
      if (!(error instanceof HistoriesTooLong)) throw error;
      for (const event of left) for (const [one, outcome] of await write([event])) outcomes.set(one, outcome);
    }
  }
  return outcomes;
}

const MOST_LINES = 500;
const MOST_CHARACTERS = MIB;

/** Lines that are written in one transaction, limited in number and text, so that memory is bounded. */
class ImportBatch {
  readonly entries: ImportEntry[] = [];
  private readonly ids = new Set<Uuid>();
  private characters = 0;
  private derived = 0;

  /** `mostDerived`: characters; the last event may exceed it. */
  constructor(private readonly mostDerived = Infinity) {}

  /**
   * A repeated id waits for the next batch, and overwrites the result of the earlier line: the last one counts.
   */
  hasRoomFor(entry: ImportEntry): boolean {
    if (this.entries.length === 0) return true;
    return (
      this.entries.length < MOST_LINES &&
      this.derived < this.mostDerived &&
      this.characters + entry.line.text.length <= MOST_CHARACTERS &&
      !(entry.kind === 'event' && this.ids.has(entry.event.id))
    );
  }

  add(entry: ImportEntry): void {
    this.entries.push(entry);
    this.characters += entry.line.text.length;
    if (entry.kind !== 'event') return;
    this.ids.add(entry.event.id);
    this.derived += sizeOfRow(entry.event.row);
  }

  events(): readonly PreparedEvent[] {
    return this.entries.flatMap((entry) => (entry.kind === 'event' ? [entry.event] : []));
  }

  /** Bytes of the source up to the end of the batch. */
  get end(): number {
    return this.entries.at(-1)?.line.end ?? 0;
  }
}

const NAMED_FAULTS = 100;
/** How many lines are prepared before the connection gets its turn: Postgres must not wait for its next statement. */
const LINES_PER_TURN = 4;

/**
 * Writes the records and event documents of an NDJSON stream, one per line, in constant memory: upserts by id, in
 * the order of the lines, so that of two with one id the last counts; each batch is atomic. A line that cannot be
 * accepted (not a valid event, or a tracking id or registration number of another event) is rejected and stops nothing.
 * No connection is held while waiting for the source. Fails if the source or the database does, or with the reason of
 * `signal`; every batch before stays written.
 */
export async function importRecords(
  database: Connections,
  configuration: EventConfiguration,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const session = new ImportSession(database);
  const run = new ImportRun(session, { configuration, terms: await readTerms(database) }, options);
  const slice = new TimeSlice();
  try {
    for await (const lines of ndjsonLines(source)) {
      for (const [at, line] of lines.entries()) {
        await run.add(line, slice);
        if (at % LINES_PER_TURN === 0 || slice.isOver) await slice.next();
      }
    }
    return await run.finish();
  } finally {
    await run.settled();
    await session.close();
  }
}

/** Two batches at a time: one is prepared here while Postgres writes the one before. */
class ImportRun {
  private batch: ImportBatch;
  private writing: Promise<void> = Promise.resolve();
  private readonly known = new KnownVocabulary();
  private imported = 0;
  private updated = 0;
  private rejected = 0;
  private readonly faults: Omit<RejectedLine, 'text'>[] = [];

  constructor(
    private readonly session: ImportSession,
    private readonly derivation: Pick<Derivation, 'configuration' | 'terms'>,
    private readonly options: ImportOptions,
  ) {
    this.batch = new ImportBatch(options.mostDerived);
  }

  async add(line: NdjsonLine, slice: TimeSlice): Promise<void> {
    const entry = await stepwise(importEntry(line, { ...this.derivation, known: this.known }), slice);
    if (!this.batch.hasRoomFor(entry)) await this.flush();
    this.batch.add(entry);
  }

  async finish(): Promise<ImportResult> {
    await this.flush();
    await this.writing;
    await this.session.settle();
    await this.session.vacuumAfter(this.imported + this.updated);
    const { imported, updated, rejected, faults } = this;
    return { imported, updated, rejected, faults };
  }

  /** Resolves at the end of the current write, whether it succeeds or fails. */
  async settled(): Promise<void> {
    await this.writing.catch(() => undefined);
  }

  private async flush(): Promise<void> {
    const { batch } = this;
    this.batch = new ImportBatch(this.options.mostDerived);
    await this.writing;
    this.options.signal?.throwIfAborted();
    this.writing = this.write(batch);
    // A failure must reach whoever waits next, rather than be unhandled.
    this.writing.catch(() => undefined);
  }

  private async write(batch: ImportBatch): Promise<void> {
    if (batch.entries.length === 0) return;
    const outcomes = await togetherOrAlone(batch.events(), async (events) => {
      const some = events.slice(0, await this.options.prepare?.(events));
      return retryingDeadlocks(() => this.session.transaction((transaction) => this.writeEvents(transaction, some)));
    });
    for (const [event, { kind }] of outcomes) if (kind === 'created') this.known.add(event.row.vocabulary);
    for (const entry of batch.entries) {
      if (entry.kind === 'rejected') await this.reject(entry, entry.id, entry.issues);
      else await this.count(entry, outcomes.get(entry.event));
    }
    this.options.onProgress?.({ bytes: batch.end, records: this.imported + this.updated + this.rejected });
  }

  /** The outcome of the first events, as many as may be written together. */
  private async writeEvents(
    transaction: Queryable,
    events: readonly PreparedEvent[],
  ): Promise<readonly (readonly [PreparedEvent, LineOutcome])[]> {
    const { mostDerived } = this.options;
    const outcomes = await writeRecords(transaction, events, { pendingTerms: '4MB', mostDerived });
    const written = outcomes.filter(isWritten);
    await nameOwnFiles(
      transaction,
      written.map(({ record: { id, declaration }, newActions }) => ({
        eventId: id,
        paths: filePathsOfActions(newActions, declaration),
      })),
    );
    const settled = written.flatMap(settledActions);
    if (settled.length > 0) await this.options.outgoing?.settle(transaction, settled);
    await this.options.onWritten?.(transaction, written);
    return events.flatMap((event, at) => pair(event, lineOutcomeOf(outcomes[at])));
  }

  private async count(entry: ImportEntry & { kind: 'event' }, outcome: LineOutcome | undefined): Promise<void> {
    switch (outcome?.kind) {
      case undefined:
        throw new Error(`nothing has become of event ${entry.event.id}`);
      case 'created':
        this.imported += 1;
        return;
      case 'updated':
      case 'unchanged':
        this.updated += 1;
        return;
      case 'refused':
        return this.reject(entry, entry.event.id, outcome.issues);
      case 'conflict':
        return this.reject(entry, entry.event.id, [conflictWith(outcome.on)]);
      default:
        absurd(outcome);
    }
  }

  private async reject(
    { line }: Pick<ImportEntry, 'line'>,
    id: string | undefined,
    issues: readonly Issue[],
  ): Promise<void> {
    this.rejected += 1;
    const fault = { line: line.number, ...(id === undefined ? {} : { id }), issues };
    if (this.faults.length < NAMED_FAULTS) this.faults.push(fault);
    await this.options.onRejected?.({ ...fault, text: line.text });
  }
}

const pair = <A, B>(a: A, b: B | undefined): readonly (readonly [A, B])[] => (b === undefined ? [] : [[a, b]]);
