import { Injectable } from '@nestjs/common';
import type { PlaceStatus, VersionedPlace } from '../../kernel/domain/location.js';
import { stateOn } from '../../auth/locations/version-in-effect.js';
import { codeOf, typeOf } from './fhir-location.js';
import { PlaceLists, type PlacePage } from './place-lists.js';

/** Undefined: any type. */
type ByType = Map<string | undefined, VersionedPlace[]>;

type ByStatus = Readonly<Record<PlaceStatus | 'any', ByType>>;

/** Undefined members restrict nothing. */
export interface TypeFilter {
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
