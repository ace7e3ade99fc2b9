import { Injectable } from '@nestjs/common';

import type { PlaceStatus, VersionedPlace } from '../domain/location.js';
import { stateOn } from '../locations/versions/version-in-effect.js';
import { typeOf } from './fhir-location.js';
import type { PlacePage } from './place-lists.js';
import { PlaceLists } from './place-lists.js';

/** By status and type; undefined stands for any. */
type ByType = ReadonlyMap<string, readonly VersionedPlace[]>;

/** What places are asked for by clients of releases 1.x; what is undefined restricts nothing. */
export interface TypeFilter {
  readonly type?: string | undefined;
  readonly status?: PlaceStatus | undefined;
}

/**
 * The places by their type and status: sorted out once for all who ask, until a place changes or the day ends. Whoever
 * asks needs no token, and a country has 50,000 places (Q-1).
 */
@Injectable()
export class PlacesByType {
  private known: { readonly state: string; readonly byType: ByType } | undefined;

  constructor(private readonly lists: PlaceLists) {}

  /** The areas, then the locations, each in the order of their ids. Equal requests yield the same list. */
  async find({ type, status }: TypeFilter): Promise<Omit<PlacePage, 'next'>> {
    const areas = await this.lists.page('administrativeArea');
    const { places: locations, today, state } = await this.lists.page('location');
    const byType =
      this.known?.state === state
        ? this.known.byType
        : sorted([areas.places, locations], (place) => stateOn(place.versions, today).status);
    // Where a place has changed between the two, the areas are of a state before.
    if (areas.state === state) this.known = { state, byType };
    return { places: byType.get(keyOf(status, type)) ?? [], today, state };
  }
}

function sorted(
  lists: readonly (readonly VersionedPlace[])[],
  statusOf: (place: VersionedPlace) => PlaceStatus,
): ByType {
  const byType = new Map<string, VersionedPlace[]>();
  const add = (key: string, place: VersionedPlace): void => {
    const list = byType.get(key);
    if (list === undefined) byType.set(key, [place]);
    else list.push(place);
  };
  for (const places of lists) {
    for (const place of places) {
      const [type, status] = [typeOf(place), statusOf(place)];
      add(keyOf(undefined, undefined), place);
      add(keyOf(undefined, type), place);
      add(keyOf(status, undefined), place);
      add(keyOf(status, type), place);
    }
  }
  return byType;
}

/** A type may be any text, a status has no `:`. */
const keyOf = (status: PlaceStatus | undefined, type: string | undefined): string =>
  `${status ?? ''}:${type === undefined ? '' : `:${type}`}`;
