import { type Instant, toInstant } from '../../kernel/domain/calendar.js';
import { absurd } from '../../kernel/errors/service-error.js';
import type { AuditLog } from '../../platform/audit/audit-log.js';
import { type Queryable, together } from '../../platform/database/connection/queryable.js';
import { type Steps, stepwise, TimeSlice } from '../../platform/queue/time-slice.js';
import {
  FileNaming,
  filePathsOfActions,
  filePathsOfHistory,
  type FileUse,
  nameOwnFiles,
} from '../files/file-naming.js';
import type { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import type { Vocabulary } from '../index/terms/vocabulary.js';
import type { PathIds } from '../index/terms/write-vocabulary.js';
import { additionTo, creationBy, type Derivation, type EventChange, mergerOf } from '../records/event-change.js';
import { MOST_DERIVED, sizeOfRow } from '../records/record-row.js';
import { deleteEvents, writeContents, writeEvents } from '../records/write-changes.js';
import type { StoredEvent } from '../records/stored-events.js';
import { type Outgoing, type SettledAction, settledActions } from './acceptance.js';
import { type Command, CurrentEvent, type Decision, type EventState, lastChange } from './command.js';
import {
  type EventPublisher,
  type FilesByEvent,
  type Published,
  type PublishedChange,
  publishedChanges,
} from './event-publisher.js';
import { insertedOperations, isKeyed, nameOf, type OpenedBatch } from './open-batch.js';

/** By new and by earlier actions (F-1). */
const filesOfChange = ({ record, newActions, knownActions, imported }: EventChange, writer: string): FileUse => ({
  eventId: record.id,
  writer,
  paths: filePathsOfActions(newActions),
  named: () => filePathsOfHistory({ actions: knownActions, imported }),
});

export type Outcome = Ended | Held;

export type Ended =
  { readonly kind: 'done'; readonly answer: unknown } | { readonly kind: 'refused'; readonly error: unknown };

/** Not done: another transaction holds its event locked. */
export interface Held {
  readonly kind: 'held';
  /** Its unused registration number. */
  readonly numbers: readonly string[];
}

export interface Followers extends Derivation {
  readonly audit: AuditLog;
  readonly publisher: EventPublisher | undefined;
  readonly outgoing: Outgoing | undefined;
  readonly known: KnownVocabulary;
}

export interface WrittenBatch {
  /** At least one; the rest need another transaction. */
  readonly outcomes: readonly Outcome[];
  /** Unused registration numbers for the remaining commands. */
  readonly numbers: readonly string[];
  readonly published: Published | undefined;
  readonly isOutgoing: boolean;
  readonly isSettled: boolean;
  /** May be cached after the commit. */
  readonly vocabularies: readonly Vocabulary[];
  readonly pathIds: PathIds;
}

interface Decided {
  /** The index of its command and outcome. */
  readonly at: number;
  readonly command: Command<unknown>;
  readonly decision: Decision<unknown>;
  readonly stored: StoredEvent | undefined;
  readonly change: EventChange | undefined;
  /** Its key was stored before. */
  readonly isPerformed: boolean;
}

/**
 * Commands on different events, as many as fit, with a handful of statements. `numbers`: registration numbers.
 */
export async function writeBatch(
  transaction: Queryable,
  { stored, held, performed, trackingIds }: OpenedBatch,
  { commands, numbers }: { readonly commands: readonly Command<unknown>[]; readonly numbers: readonly string[] },
  followers: Followers,
): Promise<WrittenBatch> {
  const supply = { trackingIds: [...trackingIds], numbers: [...numbers] };
  const outcomes: Outcome[] = [];
  const decided: Decided[] = [];
  const slice = new TimeSlice();
  let derived = 0;
  for (const [at, command] of commands.entries()) {
    if (derived >= MOST_DERIVED) break;
    if (held.has(command.eventId)) {
      outcomes.push({ kind: 'held', numbers: command.needs === 'registrationNumber' ? supply.numbers.splice(-1) : [] });
      continue;
    }
    const found = stored.get(command.eventId);
    const event = found && new CurrentEvent(found, followers.configuration);
    try {
      const state = stateOf(command, event, performed, supply);
      const decision = command.decide(state);
      if (slice.isOver) await slice.next();
      const change = await stepwise(changeOf(decision, followers, found), slice);
      if (change?.row !== undefined) derived += sizeOfRow(change.row);
      const isPerformed = state.performed !== 'not yet';
      decided.push({ at, command, decision, stored: found, change, isPerformed });
      outcomes.push({ kind: 'done', answer: decision.answer });
    } catch (error) {
      outcomes.push({ kind: 'refused', error });
    }
    if (slice.isOver) await slice.next();
  }
  const { kept, naming } = await withTheirFiles(transaction, decided, outcomes);
  return { outcomes, numbers: supply.numbers, ...(await write(transaction, kept, naming, followers)) };
}

/** Refuses forbidden file names (F-1). External documents may name files elsewhere. */
async function withTheirFiles(
  transaction: Queryable,
  decided: readonly Decided[],
  outcomes: Outcome[],
): Promise<{ readonly kept: readonly Decided[]; readonly naming: FileNaming }> {
  const uses = decided.map(({ command, change, decision }) =>
    change === undefined || decision.change?.kind === 'merge' ? undefined : filesOfChange(change, command.client),
  );
  const naming = await FileNaming.of(
    transaction,
    uses.filter((use) => use !== undefined),
  );
  const kept = decided.filter(({ at }, index) => {
    try {
      const use = uses[index];
      if (use !== undefined) naming.admit(use);
      return true;
    } catch (error) {
      outcomes[at] = { kind: 'refused', error };
      return false;
    }
  });
  return { kept, naming };
}

async function write(
  transaction: Queryable,
  decided: readonly Decided[],
  naming: FileNaming,
  { audit, publisher, outgoing, known }: Followers,
): Promise<Omit<WrittenBatch, 'outcomes' | 'numbers'>> {
  const changes = decided.flatMap(({ change }) => change ?? []);
  const merged = decided.filter(({ decision }) => decision.change?.kind === 'merge');
  const posted = decided.flatMap(({ command: { eventId, correlationId }, decision }) =>
    (decision.outgoing ?? []).map((action) => ({ eventId, action, correlationId })),
  );
  const deleted = decided.filter(isDeletion).flatMap(({ stored }) => stored ?? []);
  const settled = [...changes.flatMap(settledActions), ...deleted.flatMap(withdrawnActions)];
  const entries = decided.map(({ decision }) => decision.audit).filter((entry) => entry !== undefined);
  // No-ops also use their key up: a later repetition might differ.
  const done = decided.filter(
    ({ decision, stored, isPerformed }) =>
      !isPerformed && (stored !== undefined || decision.change !== undefined) && decision.change?.kind !== 'delete',
  );
  const told = decided.flatMap(publishedOf);
  const [written, looks] = await together(
    writeEvents(transaction, changes, known.pathIds),
    publisher?.look(transaction, told),
  );
  // Separate, to avoid a deadlock over vocabulary of another transaction.
  const upToDateAt = looks && (await publisher?.ready(transaction, looks));
  // Dependents need only the events: the first statements are pipelined.
  const [published] = await together(
    publisher?.publish(transaction, told, filesOf(decided), upToDateAt),
    naming.write(transaction),
    nameOwnFiles(
      transaction,
      merged.flatMap(({ command, change }) => (change === undefined ? [] : filesOfChange(change, command.client))),
    ),
    deleteEvents(transaction, deleted),
    posted.length > 0 ? outgoing?.write(transaction, posted) : undefined,
    settled.length > 0 ? outgoing?.settle(transaction, settled) : undefined,
    writeContents(transaction, written, [
      ...audit.insertions(entries),
      ...insertedOperations(done.map(({ command }) => command).filter(isKeyed)),
    ]),
  );
  const vocabularies = changes.flatMap(({ row }) => row?.vocabulary ?? []);
  return {
    published,
    isOutgoing: posted.length > 0,
    isSettled: settled.length > 0,
    vocabularies,
    pathIds: written.pathIds,
  };
}

/** Each with its own request's id. */
const publishedOf = ({ command: { correlationId }, change }: Decided): readonly PublishedChange[] =>
  change === undefined ? [] : publishedChanges(change).map((published) => ({ ...published, correlationId }));

const filesOf = (decided: readonly Decided[]): FilesByEvent =>
  new Map(decided.flatMap(({ command: { eventId, files } }) => (files === undefined ? [] : [[eventId, files]])));

/** The unanswered requests of a deleted event. */
function withdrawnActions({ actions }: StoredEvent): readonly SettledAction[] {
  const answered = new Set(actions.map(({ originalActionId }) => originalActionId));
  return actions
    .filter(({ id, status }) => status === 'Requested' && !answered.has(id))
    .map(({ id }) => ({ actionId: id, status: 'Deleted' }));
}

const isDeletion = ({ decision }: Decided): boolean => decision.change?.kind === 'delete';

function stateOf(
  command: Command<unknown>,
  event: CurrentEvent | undefined,
  performed: ReadonlyMap<string, Buffer>,
  supply: { readonly trackingIds: string[]; readonly numbers: string[] },
): EventState {
  return {
    event,
    performed: isKeyed(command) ? comparedWith(performed.get(nameOf(command)), command.key.content) : 'not yet',
    now: notBefore(event),
    trackingId: command.needs === 'trackingId' ? supply.trackingIds.pop() : undefined,
    registrationNumber: command.needs === 'registrationNumber' ? supply.numbers.pop() : undefined,
  };
}

const comparedWith = (before: Buffer | undefined, content: Buffer): EventState['performed'] =>
  before === undefined ? 'not yet' : before.equals(content) ? 'before' : 'otherwise';

/** The clock, or a later last action or import, if another clock is ahead. */
function notBefore(event: CurrentEvent | undefined): Instant {
  const times = [toInstant(new Date()), ...(event?.document.actions.map(({ createdAt }) => createdAt) ?? [])];
  if (event?.stored.imported !== undefined) times.push(event.record.updatedAt);
  return times.reduce((last, time) => (time > last ? time : last));
}

function* changeOf(
  { change }: Decision<unknown>,
  derivation: Derivation,
  stored: StoredEvent | undefined,
): Steps<EventChange | undefined> {
  switch (change?.kind) {
    case undefined:
    case 'delete':
      return undefined;
    case 'create':
      return yield* creationBy(change.document, derivation);
    case 'append':
      if (stored === undefined) throw new Error('actions are appended to an event that does not exist');
      return yield* additionTo(stored, derivation, change.actions, lastChange(stored, change.actions));
    case 'merge':
      return yield* mergerOf(change.document, derivation, stored);
    default:
      return absurd(change);
  }
}
