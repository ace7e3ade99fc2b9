import { toInstant } from '../../kernel/domain/calendar.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventDocument } from '../../kernel/domain/event-action.js';
import { ActionHistory } from './project/action-history.js';
import { notifierOf, type ProjectedEvent, projectEvent } from './project/project-event.js';
import { importedState, type StoredEvent, type StoredImport } from './stored-events.js';

export type TrueEvent = Omit<StoredEvent, 'seq' | 'isDraft' | 'body'>;

/** Recomputed from source data only; equals what writing under this configuration produced. Throws if unreadable. */
export function storedProjection(event: TrueEvent, configuration: EventConfiguration): ProjectedEvent {
  const { id, type, trackingId, actions, imported } = event;
  const [createdAt, updatedAt] = [toInstant(event.createdAt), toInstant(event.updatedAt)];
  return projectionOnImport({ id, type, trackingId, createdAt, updatedAt, actions }, imported, configuration);
}

export function projectionOnImport(
  document: EventDocument,
  imported: StoredImport | undefined,
  configuration: EventConfiguration,
): ProjectedEvent {
  if (imported === undefined) return projectEvent(document, configuration);
  const { actions } = document;
  const base = importedState(imported);
  const { type, trackingId } = base.record;
  // READ leaves an imported record unchanged; other later actions are replayed on it. A document may have changed the
  // type or tracking id.
  const isUnchanged =
    actions.length === 0 ||
    (type === document.type &&
      trackingId === document.trackingId &&
      actions.slice(imported.actions).every((action) => action.type === 'READ'));
  return isUnchanged
    ? { record: base.record, notified: notifierOf(ActionHistory.of(actions)) }
    : projectEvent(document, configuration, base);
}
