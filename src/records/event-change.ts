import type { Instant } from '../domain/calendar.js';
import { toInstant } from '../domain/calendar.js';
import type { EventConfiguration } from '../domain/event-configuration/event-configuration.js';
import type { EventAction, EventDocument } from '../domain/record/event-action.js';
import type { PreparedEvent } from './prepare-event.js';
import { ActionHistory } from './project/action-history.js';
import type { ImportedState } from './project/project-event.js';
import { notifierOf, projectEvent } from './project/project-event.js';
import type { RecordRow } from './record-row.js';
import { recordRow } from './record-row.js';
import type { StoredEvent } from './stored-events.js';
import { storedRecord } from './stored-events.js';

/** The database changes of writing one event. */
export interface EventChange {
  /** The event's `seq`; undefined for one that does not exist yet. */
  readonly seq: string | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly row: RecordRow;
  /** The record to which the event's actions apply, as JSON, and how many of them it covers. */
  readonly imported: { readonly body: string; readonly actions: number } | undefined;
  /** The stored actions; `newActions` follow them in the event's list. */
  readonly knownActions: readonly EventAction[];
  readonly newActions: readonly EventAction[];
}

/** What must be written so that the stored event includes the incoming one; undefined if it already does. */
export function eventChange(event: PreparedEvent, stored: StoredEvent | undefined): EventChange | undefined {
  if (stored === undefined) return creation(event);
  return event.incoming.kind === 'record'
    ? replacement(event, stored)
    : addition(event.incoming.document, event.configuration, stored);
}

function creation({ incoming, row }: PreparedEvent): EventChange {
  const { createdAt, updatedAt } = incoming.kind === 'record' ? incoming.record : incoming.document;
  const newActions = incoming.kind === 'record' ? [] : incoming.document.actions;
  return { seq: undefined, createdAt, updatedAt, row, imported: undefined, knownActions: [], newActions };
}

/** An imported record replaces what was there. The known actions stay, as the history of its content. */
function replacement({ row }: PreparedEvent, stored: StoredEvent): EventChange | undefined {
  if (row.body === stored.body) return undefined;
  const knownActions = stored.actions;
  return {
    seq: stored.seq,
    createdAt: row.record.createdAt,
    updatedAt: row.record.updatedAt,
    row: { ...row, notified: notifierOf(ActionHistory.of(knownActions)) },
    imported: knownActions.length === 0 ? undefined : { body: row.body, actions: knownActions.length },
    knownActions,
    newActions: [],
  };
}

/** Actions whose ids are not known yet are appended; a document with fewer actions removes nothing. */
function addition(
  document: EventDocument,
  configuration: EventConfiguration,
  stored: StoredEvent,
): EventChange | undefined {
  const known = new Set(stored.actions.map((action) => action.id));
  const newActions = document.actions.filter((action) => !known.has(action.id));
  if (newActions.length === 0) return undefined;
  const { imported } = stored;
  const whole = { ...document, actions: [...stored.actions, ...newActions] };
  return {
    seq: stored.seq,
    createdAt: toInstant(stored.createdAt),
    updatedAt: later(toInstant(stored.updatedAt), document.updatedAt),
    row: recordRow(projectEvent(whole, configuration, imported && stateOf(imported))),
    imported,
    knownActions: stored.actions,
    newActions,
  };
}

const stateOf = ({ body, actions }: NonNullable<EventChange['imported']>): ImportedState => ({
  record: storedRecord(body),
  actions,
});

const later = (a: Instant, b: Instant): Instant => (a < b ? b : a);
