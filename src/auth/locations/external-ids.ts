import type { CalendarDate } from '../../kernel/domain/calendar.js';
import type { Place, PlaceVersions, VersionedPlace } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/** `until` is exclusive; absent means for ever. */
interface Tenure {
  readonly externalId: string;
  readonly from: CalendarDate;
  readonly until: CalendarDate | undefined;
}

/**
 * External id shared with another active place of the kind on any day since `from`; undefined if none. Scheduled
 * versions count, so that ids can be handed on.
 */
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
