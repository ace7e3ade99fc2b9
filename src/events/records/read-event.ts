import type { Queryable } from '../../platform/database/connection/queryable.js';
import { answerIn } from '../index/values/document.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import type { ProjectedEvent } from './project/project-event.js';
import { HISTORY_COLUMNS, type StoredEventRow, storedHistory } from './stored-events.js';
import { storedProjection } from './stored-projection.js';

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
