import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { ALWAYS, type PlaceVersion, type PlaceVersions, type VersionedPlace } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { stateOn } from './version-in-effect.js';

export interface OwnedVersion extends PlaceVersion {
  readonly place: Uuid;
}

/** Upserts by place and day. */
export const writeVersions = async (transaction: Queryable, versions: readonly OwnedVersion[]): Promise<void> => {
  if (versions.length === 0) return;
  await transaction.query(sql`
    insert into place_version (version_id, place, effective_from, name, external_id, status)
    select * from unnest(
      ${versions.map((version) => version.versionId)}::uuid[],
      ${versions.map((version) => version.place)}::uuid[],
      ${versions.map((version) => version.effectiveFrom)}::date[],
      ${versions.map((version) => version.name)}::text[],
      ${versions.map((version) => version.externalId)}::text[],
      ${versions.map((version) => version.status)}::text[])
        on conflict (place, effective_from) do update
       set (version_id, name, external_id, status) =
           (excluded.version_id, excluded.name, excluded.external_id, excluded.status)`);
};

/** A file may omit the external id. */
export interface ImportedState {
  readonly name: string;
  readonly externalId: string | null | undefined;
}

/**
 * a new place has always had the file's state; changes of a known one hold from today. A second import on a day
 * replaces the first; a place not yet in effect changes from its beginning. Scheduled versions stay.
 */
export function versionsAfterImport(
  { name, externalId }: ImportedState,
  known: VersionedPlace | undefined,
  today: CalendarDate,
  newId: () => Uuid,
): PlaceVersions {
  if (known === undefined) {
    return [{ versionId: newId(), effectiveFrom: ALWAYS, name, externalId: externalId ?? null, status: 'active' }];
  }
  const { versions } = known;
  const [first] = versions;
  const isPlanned = first.effectiveFrom > today;
  const now = isPlanned ? first : stateOn(versions, today);
  const wanted = { name, externalId: externalId === undefined ? now.externalId : externalId, status: now.status };
  if (now.name === wanted.name && now.externalId === wanted.externalId) return versions;
  const changed = { versionId: newId(), effectiveFrom: isPlanned ? first.effectiveFrom : today, ...wanted };
  const others = versions.filter(({ effectiveFrom }) => effectiveFrom !== changed.effectiveFrom);
  return inOrder(changed, others);
}

function inOrder(version: PlaceVersion, others: readonly PlaceVersion[]): PlaceVersions {
  const [first = version, ...rest] = [version, ...others].sort((one, other) =>
    one.effectiveFrom < other.effectiveFrom ? -1 : 1,
  );
  return [first, ...rest];
}
