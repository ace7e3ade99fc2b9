import type { Steps } from '../../platform/queue/time-slice.js';
import type { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import { type Instant, toInstant } from '../../kernel/domain/calendar.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { Declaration } from '../../kernel/domain/declaration.js';
import type { EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import { requireBounded, requireBoundedResult } from './forms/declaration-size.js';
import { requireReplayable, requireRoomOutside } from './history-bounds.js';
import { type PreparedEvent, prepareEventSteps } from './prepare-event.js';
import { ActionHistory } from './project/action-history.js';
import { notifierOf, projectEvent } from './project/project-event.js';
import { type RecordRow, recordRowSteps } from './record-row.js';
import type { StoredEvent, StoredImport } from './stored-events.js';
import { projectionOnImport } from './stored-projection.js';

/** The database changes of writing one event. What makes one does so in steps: it derives all that searches read. */
export interface EventChange {
  /** The event's `seq`; undefined for one that does not exist yet. */
  readonly seq: string | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly record: EventRecord;
  /** The derived rows to write; undefined if those that it has stay, or if it is a draft. */
  readonly row: RecordRow | undefined;
  readonly isDraft: boolean;
  /** Whether it has had derived rows until now. */
  readonly hadRows: boolean;
  readonly imported: StoredImport | undefined;
  /** The stored actions; `newActions` follow them in the event's list. */
  readonly knownActions: readonly EventAction[];
  readonly newActions: readonly EventAction[];
}

/** What rows are derived with. */
export interface Derivation {
  readonly configuration: EventConfiguration;
  /** Vocabulary that need not be written again. */
  readonly known?: KnownVocabulary | undefined;
}

/**
 * What must be written so that the stored event includes the incoming one; undefined if it already does. Throws 400 if
 * the declaration would become larger than any may be.
 */
export function* eventChange(event: PreparedEvent, stored: StoredEvent | undefined): Steps<EventChange | undefined> {
  if (stored === undefined) return creationOf(event);
  return event.incoming.kind === 'record'
    ? replacement(event, stored)
    : yield* addition(event.incoming.document, { configuration: event.configuration }, stored);
}

/** An event that does not exist yet. */
export function creationOf({ incoming, row }: PreparedEvent): EventChange {
  const { createdAt, updatedAt } = incoming.kind === 'record' ? incoming.record : incoming.document;
  const newActions = incoming.kind === 'record' ? [] : incoming.document.actions;
  return { ...NEW, createdAt, updatedAt, record: row.record, row, isDraft: false, newActions };
}

const NEW = { seq: undefined, hadRows: false, imported: undefined, knownActions: [] } as const;

/** A document from outside: what is new in it. Undefined if nothing is. */
export function* mergerOf(
  document: EventDocument,
  { configuration, known }: Derivation,
  stored: StoredEvent | undefined,
): Steps<EventChange | undefined> {
  return stored === undefined
    ? creationOf(yield* prepareEventSteps({ kind: 'document', document }, configuration, known))
    : yield* addition(document, { configuration, known }, stored);
}

/** A new event whose only actions are those of the document. */
export function* creationBy(document: EventDocument, { configuration, known }: Derivation): Steps<EventChange> {
  const projected = projectEvent(document, configuration);
  requireBounded(projected.record.declaration);
  const isDraft = projected.record.status === 'CREATED';
  return {
    ...NEW,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
    record: projected.record,
    row: isDraft ? undefined : yield* recordRowSteps(projected, known),
    isDraft,
    newActions: document.actions,
  };
}

/** An imported record replaces what was there. The known actions stay, as the history of its content. */
function replacement({ row }: PreparedEvent, stored: StoredEvent): EventChange | undefined {
  if (row.body === stored.body) return undefined;
  const knownActions = stored.actions;
  return {
    seq: stored.seq,
    createdAt: row.record.createdAt,
    updatedAt: row.record.updatedAt,
    record: row.record,
    row: { ...row, notified: notifierOf(ActionHistory.of(knownActions)) },
    isDraft: false,
    hadRows: !stored.isDraft,
    imported: knownActions.length === 0 ? undefined : { body: row.body, actions: knownActions.length },
    knownActions,
    newActions: [],
  };
}

/** Actions whose ids are not known yet are appended; a document with fewer actions removes nothing. */
function* addition(
  document: EventDocument,
  derivation: Derivation,
  stored: StoredEvent,
): Steps<EventChange | undefined> {
  const known = new Set(stored.actions.map((action) => action.id));
  const newActions = document.actions.filter((action) => !known.has(action.id));
  if (newActions.length > 0) {
    requireRoomOutside(stored, newActions);
    requireReplayable([...stored.actions, ...newActions]);
  }
  // An import makes a draft known to searches.
  if (newActions.length === 0 && !stored.isDraft && isAsStored(document, stored)) return undefined;
  const updatedAt = later(toInstant(stored.updatedAt), document.updatedAt);
  const { type, trackingId } = document;
  return yield* appended(stored, derivation, { type, trackingId, updatedAt, newActions }, false);
}

/** New actions of a stored event; a draft remains one while its status is CREATED. */
export function* additionTo(
  stored: StoredEvent,
  derivation: Derivation,
  newActions: readonly EventAction[],
  updatedAt: Instant,
): Steps<EventChange> {
  const { type, trackingId, isDraft } = stored;
  return yield* appended(stored, derivation, { type, trackingId, updatedAt, newActions }, isDraft);
}

type Addition = Pick<EventDocument, 'type' | 'trackingId' | 'updatedAt'> & Pick<EventChange, 'newActions'>;

function* appended(
  stored: StoredEvent,
  { configuration, known }: Derivation,
  { type, trackingId, updatedAt, newActions }: Addition,
  mayBeDraft: boolean,
): Steps<EventChange> {
  const { seq, id, imported, actions: knownActions } = stored;
  const createdAt = toInstant(stored.createdAt);
  const whole = { id, type, trackingId, createdAt, updatedAt, actions: [...knownActions, ...newActions] };
  const projected = projectionOnImport(whole, imported, configuration);
  yield;
  // Also where they declare nothing themselves: acceptances and approvals apply what was requested.
  const before = (): Declaration =>
    projectionOnImport({ ...whole, actions: knownActions }, imported, configuration).record.declaration;
  requireBoundedResult(projected.record.declaration, before);
  const isDraft = mayBeDraft && projected.record.status === 'CREATED';
  // Whoever reads a record changes nothing that is derived from it.
  const isRead = newActions.every(({ type: action }) => action === 'READ');
  const isSame = !stored.isDraft && isRead && isAsStored(whole, stored);
  return {
    seq,
    createdAt,
    updatedAt,
    record: projected.record,
    row: isDraft || isSame ? undefined : yield* recordRowSteps(projected, known),
    isDraft,
    hadRows: !stored.isDraft,
    imported,
    knownActions,
    newActions,
  };
}

/** Whether what is said of the event as a whole, and by none of its actions, is known. */
export const isAsStored = (
  { type, trackingId }: Pick<EventDocument, 'type' | 'trackingId'>,
  stored: Pick<StoredEvent, 'type' | 'trackingId'>,
): boolean => type === stored.type && trackingId === stored.trackingId;

const later = (a: Instant, b: Instant): Instant => (a < b ? b : a);
