import { toInstant } from '../domain/calendar.js';
import type { Uuid } from '../domain/uuid.js';
import { ActionHistory } from './project/action-history.js';
import type { ProjectedEvent } from './project/project-event.js';
import { notifierOf, projectEvent } from './project/project-event.js';
import type { StoredHistory } from './stored-events.js';
import { storedRecord } from './stored-events.js';

/** What the tables of truth hold of an event. */
export interface TrueEvent extends StoredHistory {
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * The record of a stored event, from nothing that is derived: what writing the same actions and imports has yielded.
 * Throws when what is stored cannot be read.
 */
export function storedProjection(event: TrueEvent): ProjectedEvent {
  const { imported, actions } = event;
  // An imported record is taken as it is; what it does not cover is replayed on top of it.
  if (imported?.actions === actions.length) {
    return { record: storedRecord(imported.body), notified: notifierOf(ActionHistory.of(actions)) };
  }
  const { id, type, trackingId } = event;
  const [createdAt, updatedAt] = [toInstant(event.createdAt), toInstant(event.updatedAt)];
  const document = { id, type, trackingId, createdAt, updatedAt, actions };
  return projectEvent(document, imported && { record: storedRecord(imported.body), actions: imported.actions });
}
