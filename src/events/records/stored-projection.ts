import { toInstant } from '../../kernel/domain/calendar.js';
import type { EventDocument } from '../../kernel/domain/event-action.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { answerIn } from '../index/values/document.js';
import { ActionHistory } from './project/action-history.js';
import { notifierOf, type ProjectedEvent, projectEvent } from './project/project-event.js';
import {
  HISTORY_COLUMNS,
  importedState,
  type StoredEvent,
  type StoredEventRow,
  storedHistory,
  type StoredImport,
} from './stored-events.js';

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

/** Includes drafts; undefined if there is none. */
export async function readEvent(
  queryable: Queryable,
  id: Uuid,
  configuration: EventConfiguration,
): Promise<ProjectedEvent | undefined> {
  const [row] = await queryable.query<Omit<StoredEventRow, 'seq' | 'isDraft'>>(sql`
    select event.id, event.type, event.tracking_id as "trackingId", event.created_at as "createdAt",
           event.updated_at as "updatedAt", ${answerIn(sql`event_document.body`)} as body, ${HISTORY_COLUMNS}
      from event left join event_document using (seq) where event.id = ${id}`);
  return row && storedProjection({ ...row, ...(await storedHistory(row, row.body)) }, configuration);
}
