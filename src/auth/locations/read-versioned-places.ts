import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { VersionedPlace } from '../../kernel/domain/location.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

export type StoredPlace = VersionedPlace & { readonly revision: string };

/** Selects places, aliased `p`, with all versions. */
export const readVersionedPlaces = (database: Queryable, condition: Sql, end: Sql = sql``): Promise<StoredPlace[]> =>
  database.query<StoredPlace>(sql`
    select p.id, p.kind, p.part_of as "partOf", p.location_type as "locationType", p.revision,
           (select json_agg(json_build_object('versionId', v.version_id, 'effectiveFrom', v.effective_from,
                     'name', v.name, 'externalId', v.external_id, 'status', v.status) order by v.effective_from)
              from place_version v where v.place = p.id) as versions
      from place p where ${condition} ${end}`);
