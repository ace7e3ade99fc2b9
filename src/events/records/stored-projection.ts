import { toInstant } from '../../kernel/domain/calendar.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventDocument } from '../../kernel/domain/event-action.js';
import { ActionHistory } from './project/action-history.js';
import { notifierOf, type ProjectedEvent, projectEvent } from './project/project-event.js';
import { importedState, type StoredEvent, type StoredImport } from './stored-events.js';

/** The contents of the source tables for an event. */
export type TrueEvent = Omit<StoredEvent, 'seq' | 'isDraft' | 'body'>;

/**
 * The record of a stored event, without using derived data: the same as writing these actions and imports under this
 * configuration produced. Throws if the stored data cannot be read.
 */
export function storedProjection(event: TrueEvent, configuration: EventConfiguration): ProjectedEvent {
  const { id, type, trackingId, actions, imported } = event;
  const [createdAt, updatedAt] = [toInstant(event.createdAt), toInstant(event.updatedAt)];
  return projectionOnImport({ id, type, trackingId, createdAt, updatedAt, actions }, imported, configuration);
}

/** The record that results from an event's actions, on top of the one that was imported, if there is one. */
export function projectionOnImport(
  document: EventDocument,
  imported: StoredImport | undefined,
  configuration: EventConfiguration,
): ProjectedEvent {
  if (imported === undefined) return projectEvent(document, configuration);
  const { actions } = document;
  const base = importedState(imported);
  const { type, trackingId } = base.record;
  // An imported record is taken unchanged, also by whoever reads it; other actions that it does not cover are replayed
  // on top of it. A document, which has actions, can have told since that the type or the tracking id is another.
  const isUnchanged =
    actions.length === 0 ||
    (type === document.type &&
      trackingId === document.trackingId &&
      actions.slice(imported.actions).every((action) => action.type === 'READ'));
  return isUnchanged
    ? { record: base.record, notified: notifierOf(ActionHistory.of(actions)) }
    : projectEvent(document, configuration, base);
}
