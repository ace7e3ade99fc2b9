import type { CalendarDate } from '../../kernel/domain/calendar.js';
import {
  ALWAYS,
  type Place,
  type PlaceState,
  type PlaceVersion,
  type PlaceVersions,
  type VersionedPlace,
} from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql, type Sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';

export const readPlaces = (database: Queryable): Promise<Place[]> =>
  database.query<Place>(sql`select id, kind, name, part_of as "partOf", location_type as "locationType" from place`);

export type StoredPlace = VersionedPlace & { readonly revision: string };

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

export interface OwnedVersion extends PlaceVersion {
  readonly place: Uuid;
}

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

/** `until` is exclusive; absent means for ever. */
interface Tenure {
  readonly externalId: string;
  readonly from: CalendarDate;
  readonly until: CalendarDate | undefined;
}

/** External id shared with another active place of the kind on any day since `from`, scheduled ones too. */
export function clashingExternalId(
  place: Pick<Place, 'id' | 'kind'>,
  versions: PlaceVersions,
  others: readonly VersionedPlace[],
  from: CalendarDate,
): string | undefined {
  const taken = others.filter(({ id, kind }) => id !== place.id && kind === place.kind).flatMap(tenuresOfPlace);
  return tenuresOf(versions).find((own) => taken.some((other) => overlap(own, other, from)))?.externalId;
}

/** External ids by place that clashes with an earlier list item on any day since `from`. */
export function clashesAmong(places: readonly VersionedPlace[], from: CalendarDate): ReadonlyMap<Uuid, string> {
  const taken = new Map<string, Tenure[]>();
  const clashes = new Map<Uuid, string>();
  for (const place of places) {
    for (const own of tenuresOfPlace(place)) {
      const key = `${place.kind} ${own.externalId}`;
      const others = taken.get(key) ?? [];
      taken.set(key, others);
      if (others.some((other) => overlap(own, other, from))) clashes.set(place.id, own.externalId);
    }
    for (const own of tenuresOfPlace(place)) taken.get(`${place.kind} ${own.externalId}`)?.push(own);
  }
  return clashes;
}

const tenuresOfPlace = ({ versions }: VersionedPlace): readonly Tenure[] => tenuresOf(versions);

const tenuresOf = (versions: PlaceVersions): readonly Tenure[] =>
  versions.flatMap(({ externalId, status, effectiveFrom }, at) =>
    externalId === null || status === 'inactive'
      ? []
      : [{ externalId, from: effectiveFrom, until: versions[at + 1]?.effectiveFrom }],
  );

const overlap = (one: Tenure, other: Tenure, from: CalendarDate): boolean =>
  one.externalId === other.externalId &&
  [one, other].every(
    (tenure) => endsAfter(tenure, one.from) && endsAfter(tenure, other.from) && endsAfter(tenure, from),
  );

const endsAfter = ({ until }: Tenure, day: CalendarDate): boolean => until === undefined || until > day;
