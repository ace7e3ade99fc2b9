import { Injectable } from '@nestjs/common';
import { stateOn } from '../../auth/locations/place-versions.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import type { PlaceStatus, VersionedPlace } from '../../kernel/domain/location.js';
import { PlaceLists, type PlacePage } from './place-lists.js';

/** FHIR R4 Location as releases 1.x write it: `type` is one concept, where R4 has a list. */
interface FhirLocation {
  readonly resourceType: 'Location';
  readonly id: string;
  readonly meta: { readonly lastUpdated: string };
  readonly identifier: readonly { readonly system: string; readonly value: string }[];
  readonly status: PlaceStatus;
  readonly name: string;
  readonly mode: 'instance';
  readonly type: { readonly coding: readonly { readonly system: string; readonly code: string }[] };
  readonly physicalType: {
    readonly coding: readonly { readonly system: string; readonly code: string; readonly display: string }[];
  };
  readonly partOf: { readonly reference: string };
}

/** `type` of administrative areas in releases 1.x. */
const ADMIN_STRUCTURE = 'ADMIN_STRUCTURE';

/** Releases 1.x refer to the country as 0. */
const TOP = '0';

const PHYSICAL = { administrativeArea: ['jdn', 'Jurisdiction'], location: ['bu', 'Building'] } as const;

/** In the shape of releases 1.x (L-4). */
export function fhirLocation(place: VersionedPlace, today: CalendarDate): FhirLocation {
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

/** Undefined: any type. */
type ByType = Map<string | undefined, VersionedPlace[]>;

type ByStatus = Readonly<Record<PlaceStatus | 'any', ByType>>;

/** Undefined members restrict nothing. */
interface TypeFilter {
  readonly type?: string | undefined;
  readonly status?: PlaceStatus | undefined;
  /** Prefix, ignoring case. */
  readonly name?: string | undefined;
  /** Statistical code, `<type>_<externalId>`; a system before `|` is ignored. */
  readonly identifier?: string | undefined;
}

interface Found extends Pick<PlacePage, 'today' | 'state'> {
  readonly places: readonly VersionedPlace[];
}

/** Memoized until a place changes or the day ends, since anybody may ask for 50,000 places without a token. */
@Injectable()
export class PlacesByType {
  private known: { readonly state: string; readonly byStatus: ByStatus } | undefined;

  constructor(private readonly lists: PlaceLists) {}

  /** Areas, then locations, each in order of id. Equal requests yield the same list. */
  async find({ type, status, name, identifier }: TypeFilter): Promise<Found> {
    // One reading: older areas would otherwise be cached under the state of newer locations.
    const { areas, locations, today, state } = await this.lists.whole();
    const byStatus =
      this.known?.state === state
        ? this.known.byStatus
        : sorted([areas, locations], (place) => stateOn(place.versions, today).status);
    this.known = { state, byStatus };
    const places = byStatus[status ?? 'any'].get(type) ?? [];
    if (name === undefined && identifier === undefined) return { places, today, state };
    const beginning = name?.toLowerCase() ?? '';
    const sought = identifier?.slice(identifier.indexOf('|') + 1);
    const isFound = (place: VersionedPlace): boolean => {
      const { name: named, externalId } = stateOn(place.versions, today);
      const isIdentified = sought === undefined || codeOf(place, externalId) === sought;
      return isIdentified && named.toLowerCase().startsWith(beginning);
    };
    return { places: places.filter(isFound), today, state };
  }
}

function sorted(
  lists: readonly (readonly VersionedPlace[])[],
  statusOf: (place: VersionedPlace) => PlaceStatus,
): ByStatus {
  const byStatus: ByStatus = { any: new Map(), active: new Map(), inactive: new Map() };
  for (const places of lists) {
    for (const place of places) {
      for (const byType of [byStatus.any, byStatus[statusOf(place)]]) {
        add(byType, undefined, place);
        add(byType, typeOf(place), place);
      }
    }
  }
  return byStatus;
}

function add(byType: ByType, type: string | undefined, place: VersionedPlace): void {
  const list = byType.get(type);
  if (list === undefined) byType.set(type, [place]);
  else list.push(place);
}
