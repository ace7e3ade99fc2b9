import type { Queryable } from '../database/queryable.js';
import { answerIn } from '../derived/values/document.js';
import type { EventConfiguration } from '../domain/event-configuration/event-configuration.js';
import type { Uuid } from '../domain/uuid.js';
import { sql } from '../sql/sql.js';
import type { ProjectedEvent } from './project/project-event.js';
import type { StoredEventRow } from './stored-events.js';
import { HISTORY_COLUMNS, storedHistory } from './stored-events.js';
import { storedProjection } from './stored-projection.js';

/** The record of an event as it is stored, drafts included; undefined if there is none. */
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
