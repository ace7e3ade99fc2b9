import { Inject, Injectable } from '@nestjs/common';

import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.js';
import type { CalendarDate } from '../domain/calendar.js';
import { dayIn } from '../domain/day-in.js';
import type { Place, PlaceStatus, VersionedPlace } from '../domain/location.js';
import type { Uuid } from '../domain/uuid.js';
import { HierarchyCache } from '../locations/hierarchy-cache.js';
import { stateOn } from '../locations/version-in-effect.js';
import { placeErrors } from './decisions/place-errors.js';
import type { PlaceViews } from './place-view.js';
import { viewAs } from './place-view.js';

/** Which places are asked for; what is undefined restricts nothing. */
export interface PlaceFilter {
  readonly isActive?: boolean | undefined;
  readonly ids?: readonly Uuid[] | undefined;
  readonly locationType?: string | undefined;
  readonly externalId?: string | undefined;
  /** The id of the last place before these. */
  readonly after?: Uuid | undefined;
  /** At most so many; undefined: all. */
  readonly limit?: number | undefined;
}

/** The places that were asked for, in the order of their ids, as of one moment. */
export interface PlacePage {
  readonly places: readonly VersionedPlace[];
  readonly today: CalendarDate;
  /** The id after which there are more; undefined if there are none. */
  readonly next: Uuid | undefined;
  /** Two equal requests with equal values here have equal answers. */
  readonly state: string;
}

/** The lists of both kinds, each in the order of its ids. */
export interface WholeLists extends Pick<PlacePage, 'today' | 'state'> {
  readonly areas: readonly VersionedPlace[];
  readonly locations: readonly VersionedPlace[];
}

/** What a place is written as, with the day for which that is right. */
interface Written {
  readonly day: CalendarDate;
  readonly text: string;
}

/**
 * Reads places, from memory (L-1, L-2): which version is in effect is decided at each request, so that a scheduled
 * change takes effect by itself at midnight in `TIMEZONE`.
 */
@Injectable()
export class PlaceLists {
  private readonly written = new WeakMap<VersionedPlace, Written>();

  constructor(
    @Inject(HierarchyCache) private readonly hierarchy: Pick<HierarchyCache, 'current' | 'places'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'TIMEZONE'>,
  ) {}

  /** Today, where the service is. */
  today(): CalendarDate {
    return dayIn(this.config.TIMEZONE, new Date());
  }

  /** All areas and all locations as of one moment, after everything committed before the call. */
  async whole(): Promise<WholeLists> {
    const { places, today, state } = await this.now();
    return { areas: places.list('administrativeArea'), locations: places.list('location'), today, state };
  }

  /** A page of the places of one kind, after everything committed before the call. */
  async page(kind: Place['kind'], filter: PlaceFilter = {}): Promise<PlacePage> {
    const { places, today, state } = await this.now();
    const candidates = candidatesOf(places, kind, filter);
    // Whoever reads slowly holds no copy of a country.
    if (isWhole(filter)) return { places: candidates, today, next: undefined, state };
    const limit = filter.limit ?? Infinity;
    const found: VersionedPlace[] = [];
    for (const place of candidates) {
      if (!isWanted(place, filter, today)) continue;
      found.push(place);
      if (found.length > limit) break;
    }
    const hasMore = found.length > limit;
    const page = hasMore ? found.slice(0, -1) : found;
    return { places: page, today, next: hasMore ? page.at(-1)?.id : undefined, state };
  }

  private async now(): Promise<Pick<PlacePage, 'today' | 'state'> & { readonly places: HierarchyCache['places'] }> {
    await this.hierarchy.current();
    const { places } = this.hierarchy;
    const today = this.today();
    return { places, today, state: `${places.state.incarnation} ${places.state.revision} ${today}` };
  }

  /** One place as answers show it. Throws 404 NOT_FOUND. */
  async get<K extends Place['kind']>(kind: K, id: Uuid): Promise<PlaceViews[K]> {
    await this.hierarchy.current();
    const place = this.hierarchy.places.get(id);
    if (place?.kind !== kind) throw placeErrors.notFound(kind, id);
    return this.viewAs(kind, place);
  }

  /** The area or the location with this id. Throws 404 NOT_FOUND. */
  async placeOfAnyKind(id: Uuid): Promise<VersionedPlace> {
    await this.hierarchy.current();
    const place = this.hierarchy.places.get(id);
    if (place === undefined) throw placeErrors.notFound('location', id);
    return place;
  }

  /** A place of this kind as answers show it today. */
  viewAs<K extends Place['kind']>(kind: K, place: VersionedPlace): PlaceViews[K] {
    return viewAs(kind, place, this.today());
  }

  /** The same as JSON text, which is kept while the place and the day are the same. */
  textOf(place: VersionedPlace, today: CalendarDate): string {
    const known = this.written.get(place);
    if (known?.day === today) return known.text;
    const text = JSON.stringify(viewAs(place.kind, place, today));
    this.written.set(place, { day: today, text });
    return text;
  }
}

function candidatesOf(
  places: HierarchyCache['places'],
  kind: Place['kind'],
  { ids, after }: PlaceFilter,
): readonly VersionedPlace[] {
  if (ids === undefined) {
    const list = places.list(kind);
    return after === undefined ? list : list.slice(firstAfter(list, after));
  }
  return [...new Set(ids)].sort().flatMap((id) => {
    const place = places.get(id);
    return place?.kind === kind && (after === undefined || id > after) ? [place] : [];
  });
}

/** Where the places after an id begin, in a list in the order of ids. */
function firstAfter(list: readonly VersionedPlace[], id: Uuid): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((list[middle]?.id ?? '') <= id) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Whether all candidates are wanted. */
const isWhole = ({ isActive, locationType, externalId, limit }: PlaceFilter): boolean =>
  isActive === undefined && locationType === undefined && externalId === undefined && limit === undefined;

function isWanted(place: VersionedPlace, filter: PlaceFilter, today: CalendarDate): boolean {
  const { isActive, locationType, externalId } = filter;
  if (locationType !== undefined && place.locationType !== locationType) return false;
  if (isActive === undefined && externalId === undefined) return true;
  const state = stateOn(place.versions, today);
  const status: PlaceStatus = isActive === true ? 'active' : 'inactive';
  return (
    (isActive === undefined || state.status === status) && (externalId === undefined || state.externalId === externalId)
  );
}
