import { type Instant, toInstant } from '../../kernel/domain/calendar.js';
import type { Declaration, EventRecord } from '../../kernel/domain/event-record.js';
import type { EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Steps } from '../../platform/queue/time-slice.js';
import type { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import type { Terms } from '../index/terms/terms.js';
import { requireBounded, requireBoundedResult } from './declaration-size.js';
import { requireReplayable, requireRoomOutside } from './history-bounds.js';
import { ActionHistory } from './replay.js';
import { notifierOf, projectEvent } from './project-event.js';
import { type RecordRow, recordRowSteps } from './record-row.js';
import { projectionOnImport, type StoredEvent, type StoredImport } from './stored-events.js';

/** A record without a history, or a history. */
export type IncomingEvent =
  | { readonly kind: 'record'; readonly record: EventRecord }
  | { readonly kind: 'document'; readonly document: EventDocument };

export interface PreparedEvent {
  readonly id: Uuid;
  readonly incoming: IncomingEvent;
  readonly configuration: EventConfiguration;
  readonly terms: Terms;
  /** Stored if the event is unknown. */
  readonly row: RecordRow;
}

export interface Derivation {
  readonly configuration: EventConfiguration;
  readonly terms: Terms;
  /** Vocabulary already stored. */
  readonly known?: KnownVocabulary | undefined;
}

/** `known` is not written again. Throws 400 beyond Q-1. */
export function* prepareEventSteps(
  incoming: IncomingEvent,
  { configuration, terms, known }: Derivation,
): Steps<PreparedEvent> {
  if (incoming.kind === 'document') requireReplayable(incoming.document.actions);
  const projected =
    incoming.kind === 'record'
      ? { record: incoming.record, notified: undefined }
      : projectEvent(incoming.document, configuration);
  requireBounded(projected.record.declaration);
  return {
    id: projected.record.id,
    incoming,
    configuration,
    terms,
    row: yield* recordRowSteps(projected, terms, known),
  };
}

export interface EventChange {
  /** Undefined for a new event. */
  readonly seq: string | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly record: EventRecord;
  /** Undefined for a draft, or if the stored rows stay. */
  readonly row: RecordRow | undefined;
  readonly isDraft: boolean;
  readonly hadRows: boolean;
  readonly imported: StoredImport | undefined;
  /** `newActions` follow them. */
  readonly knownActions: readonly EventAction[];
  readonly newActions: readonly EventAction[];
}

/** Undefined if the event is already included. Throws 400 for a declaration beyond Q-1. */
export function* eventChange(event: PreparedEvent, stored: StoredEvent | undefined): Steps<EventChange | undefined> {
  if (stored === undefined) return creationOf(event);
  return event.incoming.kind === 'record'
    ? replacement(event, stored)
    : yield* addition(event.incoming.document, event, stored);
}

export function creationOf({ incoming, row }: PreparedEvent): EventChange {
  const { createdAt, updatedAt } = incoming.kind === 'record' ? incoming.record : incoming.document;
  const newActions = incoming.kind === 'record' ? [] : incoming.document.actions;
  return { ...NEW, createdAt, updatedAt, record: row.record, row, isDraft: false, newActions };
}

const NEW = { seq: undefined, hadRows: false, imported: undefined, knownActions: [] } as const;

/** New parts of an external document; undefined if none. */
export function* mergerOf(
  document: EventDocument,
  derivation: Derivation,
  stored: StoredEvent | undefined,
): Steps<EventChange | undefined> {
  return stored === undefined
    ? creationOf(yield* prepareEventSteps({ kind: 'document', document }, derivation))
    : yield* addition(document, derivation, stored);
}

export function* creationBy(document: EventDocument, { configuration, terms, known }: Derivation): Steps<EventChange> {
  const projected = projectEvent(document, configuration);
  requireBounded(projected.record.declaration);
  const isDraft = projected.record.status === 'CREATED';
  return {
    ...NEW,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
    record: projected.record,
    row: isDraft ? undefined : yield* recordRowSteps(projected, terms, known),
    isDraft,
    newActions: document.actions,
  };
}

/** An imported record replaces the state; known actions stay as its history. */
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

/** Appends unknown actions; a document with fewer removes nothing. */
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
  // An import makes a draft searchable.
  if (newActions.length === 0 && !stored.isDraft && isAsStored(document, stored)) return undefined;
  const updatedAt = later(toInstant(stored.updatedAt), document.updatedAt);
  const { type, trackingId } = document;
  return yield* appended(stored, derivation, { type, trackingId, updatedAt, newActions }, false);
}

/** A draft stays one while its status is CREATED. */
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
  { configuration, terms, known }: Derivation,
  { type, trackingId, updatedAt, newActions }: Addition,
  mayBeDraft: boolean,
): Steps<EventChange> {
  const { seq, id, imported, actions: knownActions } = stored;
  const createdAt = toInstant(stored.createdAt);
  const whole = { id, type, trackingId, createdAt, updatedAt, actions: [...knownActions, ...newActions] };
  const projected = projectionOnImport(whole, imported, configuration);
  yield;
  // Also needed without own declaration: acceptances and approvals apply requested changes.
  const before = (): Declaration =>
    projectionOnImport({ ...whole, actions: knownActions }, imported, configuration).record.declaration;
  requireBoundedResult(projected.record.declaration, before);
  const isDraft = mayBeDraft && projected.record.status === 'CREATED';
  // READ changes nothing derived.
  const isRead = newActions.every(({ type: action }) => action === 'READ');
  const isSame = !stored.isDraft && isRead && isAsStored(whole, stored);
  return {
    seq,
    createdAt,
    updatedAt,
    record: projected.record,
    row: isDraft || isSame ? undefined : yield* recordRowSteps(projected, terms, known),
    isDraft,
    hadRows: !stored.isDraft,
    imported,
    knownActions,
    newActions,
  };
}

/** Compares the members of the event itself, not its actions. */
export const isAsStored = (
  { type, trackingId }: Pick<EventDocument, 'type' | 'trackingId'>,
  stored: Pick<StoredEvent, 'type' | 'trackingId'>,
): boolean => type === stored.type && trackingId === stored.trackingId;

const later = (a: Instant, b: Instant): Instant => (a < b ? b : a);
