import type { CalendarDate } from '../../kernel/domain/calendar.js';
import {
  ALWAYS,
  type Place,
  type PlaceState,
  type PlaceVersion,
  type PlaceVersions,
  type VersionedPlace,
} from '../../kernel/domain/location.js';
import { sql, type Sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';

export const readPlaces = (database: Queryable): Promise<Place[]> =>
  database.query<Place>(sql`select id, kind, name, part_of as "partOf", location_type as "locationType" from place`);

export type StoredPlace = VersionedPlace & { readonly revision: string };

/** Selects places, aliased `p`, with all versions. */
export const readVersionedPlaces = (database: Queryable, condition: Sql, end: Sql = sql``): Promise<StoredPlace[]> =>
  database.query<StoredPlace>(sql`
    select p.id, p.kind, p.part_of as "partOf", p.location_type as "locationType", p.revision,
           (select json_agg(json_build_object('versionId', v.version_id, 'effectiveFrom', v.effective_from,
                     'name', v.name, 'externalId', v.external_id, 'status', v.status) order by v.effective_from)
              from place_version v where v.place = p.id) as versions
      from place p where ${condition} ${end}`);

type StateInEffect = PlaceState & Pick<PlaceVersion, 'effectiveFrom'>;

/**
 * The latest version begun on the day (L-2); before the first, inactive under its earliest name. Dates compare as text.
 */
export function stateOn(versions: PlaceVersions, day: CalendarDate): StateInEffect {
  const [earliest] = versions;
  if (versions.length === 1 && earliest.effectiveFrom <= day) return earliest;
  const version = versions.findLast(({ effectiveFrom }) => effectiveFrom <= day);
  return version ?? { name: earliest.name, externalId: earliest.externalId, status: 'inactive', effectiveFrom: ALWAYS };
}
