import type { CalendarDate } from '../../domain/calendar.js';
import type { Uuid } from '../../domain/uuid.js';
import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../sql/sql.js';

/** Whether an office is inactive on the day: by the latest of its versions that has begun (L-2), or as none has. */
export async function isOfficeClosed(database: Queryable, office: Uuid, day: CalendarDate): Promise<boolean> {
  const [row] = await database.query<{ readonly isClosed: boolean }>(sql`
    select coalesce((select status from place_version
                      where place = p.id and effective_from <= ${day}::date
                      order by effective_from desc limit 1), 'inactive') = 'inactive' as "isClosed"
      from place p where p.id = ${office} and exists (select from place_version where place = p.id)`);
  return row?.isClosed === true;
}
