import { toInstant } from '../domain/calendar.js';
import type { EventConfiguration } from '../domain/event-configuration/event-configuration.js';
import { ActionHistory } from './project/action-history.js';
import type { ProjectedEvent } from './project/project-event.js';
import { notifierOf, projectEvent } from './project/project-event.js';
import type { StoredEvent } from './stored-events.js';
import { importedState, storedRecord } from './stored-events.js';

/** The contents of the source tables for an event. */
export type TrueEvent = Omit<StoredEvent, 'seq' | 'isDraft' | 'body'>;

/**
 * The record of a stored event, without using derived data: the same as writing these actions and imports under this
 * configuration produced. Throws if the stored data cannot be read.
 */
export function storedProjection(event: TrueEvent, configuration: EventConfiguration): ProjectedEvent {
  const { imported, actions } = event;
  // An imported record is taken unchanged, also by whoever reads it; other actions that it does not cover are replayed
  // on top of it.
  if (imported !== undefined && actions.slice(imported.actions).every(({ type }) => type === 'READ')) {
    return { record: storedRecord(imported.body), notified: notifierOf(ActionHistory.of(actions)) };
  }
  const { id, type, trackingId } = event;
  const [createdAt, updatedAt] = [toInstant(event.createdAt), toInstant(event.updatedAt)];
  const document = { id, type, trackingId, createdAt, updatedAt, actions };
  return projectEvent(document, configuration, imported && importedState(imported));
}
