import { Inject, Injectable } from '@nestjs/common';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { stateOn } from '../../auth/locations/place-versions.js';
import { type CalendarDate, dayIn } from '../../kernel/domain/calendar.js';
import type { Place, VersionedPlace } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { PARENT_KEYS, placeErrors } from './place-decisions.js';

/** As answered (L-1): flat members are those of the version in effect. */
export type PlaceView = Readonly<Record<string, unknown>>;

function viewAs({ id, kind, partOf, locationType, versions }: VersionedPlace, today: CalendarDate): PlaceView {
  const { name, externalId, status } = stateOn(versions, today);
  const own = { [PARENT_KEYS[kind]]: partOf, ...(kind === 'location' && { locationType }) };
  return { id, name, externalId, ...own, status, versions };
}

/** Names in URLs and in the audit log. */
export const COLLECTIONS = {
  location: 'locations',
  administrativeArea: 'administrativeAreas',
} as const satisfies Record<Place['kind'], string>;

/** Undefined members restrict nothing. */
export interface PlaceFilter {
  readonly isActive?: boolean | undefined;
  readonly ids?: readonly Uuid[] | undefined;
  readonly locationType?: string | undefined;
  readonly externalId?: string | undefined;
  /** Last id of the previous page. */
  readonly after?: Uuid | undefined;
  /** Undefined: all. */
  readonly limit?: number | undefined;
}

/** A snapshot in order of id. */
export interface PlacePage {
  /** Lazy: a waiting request holds no copy. */
  readonly places: Iterable<VersionedPlace>;
  readonly today: CalendarDate;
  /** Cursor; undefined on the last page. */
  readonly next: Uuid | undefined;
  /** Equal for equal answers to equal requests. */
  readonly state: string;
}

/** Each in order of id. */
interface WholeLists extends Pick<PlacePage, 'today' | 'state'> {
  readonly areas: readonly VersionedPlace[];
  readonly locations: readonly VersionedPlace[];
}

/** Memoizes `write` per place and day. */
export function keptTexts(
  write: (place: VersionedPlace, today: CalendarDate) => string,
): (place: VersionedPlace, today: CalendarDate) => string {
  const kept = new WeakMap<VersionedPlace, { readonly day: CalendarDate; readonly text: string }>();
  return (place, today) => {
    const known = kept.get(place);
    if (known?.day === today) return known.text;
    const text = write(place, today);
    kept.set(place, { day: today, text });
    return text;
  };
}

/**
 * Reads cached places (L-1, L-2). The version in effect is chosen per request: scheduled changes take effect at
 * midnight in `TIMEZONE`.
 */
@Injectable()
export class PlaceLists {
  readonly textOf = keptTexts((place, today) => JSON.stringify(viewAs(place, today)));

  constructor(
    @Inject(HierarchyCache) private readonly hierarchy: Pick<HierarchyCache, 'current' | 'places'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'TIMEZONE'>,
  ) {}

  /** In the service's time zone. */
  today(): CalendarDate {
    return dayIn(this.config.TIMEZONE, new Date());
  }

  /** A snapshot that includes everything committed before the call. */
  async whole(): Promise<WholeLists> {
    const { places, today, state } = await this.now();
    return { areas: places.list('administrativeArea'), locations: places.list('location'), today, state };
  }

  /** Includes everything committed before the call. */
  async page(kind: Place['kind'], filter: PlaceFilter = {}): Promise<PlacePage> {
    const { places, today, state } = await this.now();
    const { ids, limit = Infinity } = filter;
    const candidates = ids === undefined ? places.list(kind) : placesOf(places, kind, ids);
    const found = { [Symbol.iterator]: () => wanted(candidates, filter, today, limit) };
    const [last, more] = limit === Infinity ? [] : [...wanted(candidates, filter, today, limit + 1)].slice(limit - 1);
    return { places: found, today, next: more && last?.id, state };
  }

  private async now(): Promise<Pick<PlacePage, 'today' | 'state'> & { readonly places: HierarchyCache['places'] }> {
    await this.hierarchy.current();
    const { places } = this.hierarchy;
    const today = this.today();
    return { places, today, state: `${places.state.incarnation} ${places.state.revision} ${today}` };
  }

  /** Throws 404 NOT_FOUND. */
  async get(kind: Place['kind'], id: Uuid): Promise<PlaceView> {
    await this.hierarchy.current();
    const place = this.hierarchy.places.get(id);
    if (place?.kind !== kind) throw placeErrors.notFound(kind, id);
    return this.view(place);
  }

  /** Throws 404 NOT_FOUND. */
  async placeOfAnyKind(id: Uuid): Promise<VersionedPlace> {
    await this.hierarchy.current();
    const place = this.hierarchy.places.get(id);
    if (place === undefined) throw placeErrors.notFound('location', id);
    return place;
  }

  view(place: VersionedPlace): PlaceView {
    return viewAs(place, this.today());
  }
}

const placesOf = (places: HierarchyCache['places'], kind: Place['kind'], ids: readonly Uuid[]): VersionedPlace[] =>
  [...new Set(ids)].sort().flatMap((id) => {
    const place = places.get(id);
    return place?.kind === kind ? [place] : [];
  });

/** `candidates` are in order of id. */
function* wanted(
  candidates: Iterable<VersionedPlace>,
  filter: PlaceFilter,
  today: CalendarDate,
  limit: number,
): Generator<VersionedPlace> {
  let left = limit;
  for (const place of candidates) {
    if (left === 0) return;
    if (!isWanted(place, filter, today)) continue;
    left -= 1;
    yield place;
  }
}

function isWanted(place: VersionedPlace, filter: PlaceFilter, today: CalendarDate): boolean {
  const { isActive, locationType, externalId, after } = filter;
  if (after !== undefined && place.id <= after) return false;
  if (locationType !== undefined && place.locationType !== locationType) return false;
  if (isActive === undefined && externalId === undefined) return true;
  const state = stateOn(place.versions, today);
  return (
    (isActive === undefined || (state.status === 'active') === isActive) &&
    (externalId === undefined || state.externalId === externalId)
  );
}
