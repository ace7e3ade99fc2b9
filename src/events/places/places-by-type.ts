import { stateOn } from '../../auth/locations/place-versions.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import type { PlaceStatus, VersionedPlace } from '../../kernel/domain/location.js';

/** `type` of administrative areas in releases 1.x. */
const ADMIN_STRUCTURE = 'ADMIN_STRUCTURE';

/** Releases 1.x refer to the country as 0. */
const TOP = '0';

const PHYSICAL = { administrativeArea: ['jdn', 'Jurisdiction'], location: ['bu', 'Building'] } as const;

/** FHIR R4 Location as releases 1.x write it (L-4): `type` is one concept, where R4 has a list. */
export function fhirLocation(place: VersionedPlace, today: CalendarDate): object {
  const { id, kind, partOf, versions } = place;
  const { name, externalId, status, effectiveFrom } = stateOn(versions, today);
  const [code, display] = PHYSICAL[kind];
  return {
    resourceType: 'Location',
    id,
    meta: { lastUpdated: startOf(effectiveFrom) },
    identifier: [{ system: 'http://opencrvs.org/specs/id/statistical-code', value: codeOf(place, externalId) }],
    status,
    name,
    mode: 'instance',
    type: { coding: [{ system: 'http://opencrvs.org/specs/location-type', code: typeOf(place) }] },
    physicalType: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/location-physical-type', code, display }],
    },
    partOf: { reference: `Location/${partOf ?? TOP}` },
  };
}

/** `OTHER` for a location without a type. */
const typeOf = ({ kind, locationType }: VersionedPlace): string =>
  kind === 'administrativeArea' ? ADMIN_STRUCTURE : (locationType ?? 'OTHER');

/** Statistical code. */
const codeOf = (place: VersionedPlace, externalId: string | null): string =>
  `${typeOf(place)}_${externalId ?? place.id}`;

/** FHIR instant. The request time would change the `ETag`. */
export const startOf = (day: CalendarDate): string => `${day}T00:00:00.000Z`;

/** Undefined members restrict nothing. */
interface TypeFilter {
  readonly type?: string | undefined;
  readonly status?: PlaceStatus | undefined;
  /** Prefix, ignoring case. */
  readonly name?: string | undefined;
  /** Statistical code, `<type>_<externalId>`; a system before `|` is ignored. */
  readonly identifier?: string | undefined;
}

/** Areas, then locations, each in order of id. Lazy: a request of a stranger holds no copy (G-11). */
export function placesByType(
  lists: readonly (readonly VersionedPlace[])[],
  { type, status, name, identifier }: TypeFilter,
  today: CalendarDate,
): Iterable<VersionedPlace> {
  const beginning = name?.toLowerCase() ?? '';
  const sought = identifier?.slice(identifier.indexOf('|') + 1);
  const isFound = (place: VersionedPlace): boolean => {
    if (type !== undefined && typeOf(place) !== type) return false;
    const state = stateOn(place.versions, today);
    return (
      (status === undefined || state.status === status) &&
      (sought === undefined || codeOf(place, state.externalId) === sought) &&
      (beginning === '' || state.name.toLowerCase().startsWith(beginning))
    );
  };
  return {
    *[Symbol.iterator]() {
      for (const list of lists) for (const place of list) if (isFound(place)) yield place;
    },
  };
}
