import { Inject, Injectable } from '@nestjs/common';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { stateOn } from '../../auth/locations/place-versions.js';
import { type CalendarDate, dayIn } from '../../kernel/domain/calendar.js';
import type { Place, PlaceStatus, PlaceVersion, VersionedPlace } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { placeErrors } from './place-decisions.js';

/** Flat members are those of the version in effect. */
interface PlaceView {
  readonly id: Uuid;
  readonly name: string;
  readonly externalId: string | null;
  readonly status: PlaceVersion['status'];
  readonly versions: readonly PlaceVersion[];
}

/** L-1. */
interface LocationView extends PlaceView {
  readonly administrativeAreaId: Uuid | null;
  readonly locationType: string | null;
}

/** L-1. */
interface AdministrativeAreaView extends PlaceView {
  readonly parentId: Uuid | null;
}

export interface PlaceViews {
  readonly location: LocationView;
  readonly administrativeArea: AdministrativeAreaView;
}

const VIEWS: { readonly [K in Place['kind']]: (place: VersionedPlace, today: CalendarDate) => PlaceViews[K] } = {
  location: ({ id, partOf, locationType, versions }, today) => {
    const { name, externalId, status } = stateOn(versions, today);
    return {
      id,
      name,
      externalId,
      administrativeAreaId: partOf,
      locationType,
      status,
      versions: versions.map(versionView),
    };
  },
  administrativeArea: ({ id, partOf, versions }, today) => {
    const { name, externalId, status } = stateOn(versions, today);
    return { id, name, externalId, parentId: partOf, status, versions: versions.map(versionView) };
  },
};

const viewAs = <K extends Place['kind']>(kind: K, place: VersionedPlace, today: CalendarDate): PlaceViews[K] =>
  VIEWS[kind](place, today);

const versionView = ({ versionId, effectiveFrom, name, externalId, status }: PlaceVersion): PlaceVersion => ({
  versionId,
  effectiveFrom,
  name,
  externalId,
  status,
});

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
  readonly textOf = keptTexts((place, today) => JSON.stringify(viewAs(place.kind, place, today)));

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
    const candidates = candidatesOf(places, kind, filter);
    const { limit = Infinity } = filter;
    const found = { [Symbol.iterator]: () => wanted(candidates, filter, today, limit) };
    return { places: found, today, next: lastBeforeMore(wanted(candidates, filter, today), limit), state };
  }

  private async now(): Promise<Pick<PlacePage, 'today' | 'state'> & { readonly places: HierarchyCache['places'] }> {
    await this.hierarchy.current();
    const { places } = this.hierarchy;
    const today = this.today();
    return { places, today, state: `${places.state.incarnation} ${places.state.revision} ${today}` };
  }

  /** Throws 404 NOT_FOUND. */
  async get<K extends Place['kind']>(kind: K, id: Uuid): Promise<PlaceViews[K]> {
    await this.hierarchy.current();
    const place = this.hierarchy.places.get(id);
    if (place?.kind !== kind) throw placeErrors.notFound(kind, id);
    return this.viewAs(kind, place);
  }

  /** Throws 404 NOT_FOUND. */
  async placeOfAnyKind(id: Uuid): Promise<VersionedPlace> {
    await this.hierarchy.current();
    const place = this.hierarchy.places.get(id);
    if (place === undefined) throw placeErrors.notFound('location', id);
    return place;
  }

  viewAs<K extends Place['kind']>(kind: K, place: VersionedPlace): PlaceViews[K] {
    return viewAs(kind, place, this.today());
  }
}

function candidatesOf(
  places: HierarchyCache['places'],
  kind: Place['kind'],
  { ids, after }: PlaceFilter,
): Iterable<VersionedPlace> {
  if (ids === undefined) {
    const list = places.list(kind);
    return after === undefined ? list : { [Symbol.iterator]: () => onwards(list, firstAfter(list, after)) };
  }
  return [...new Set(ids)].sort().flatMap((id) => {
    const place = places.get(id);
    return place?.kind === kind && (after === undefined || id > after) ? [place] : [];
  });
}

function* onwards<T>(list: readonly T[], from: number): Generator<T> {
  for (let at = from; at < list.length; at += 1) yield list[at] as T;
}

/** `list` is in order of id. */
function firstAfter(list: readonly VersionedPlace[], id: Uuid): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((list[middle]?.id ?? '') <= id) from = middle + 1;
    else to = middle;
  }
  return from;
}

function* wanted(
  candidates: Iterable<VersionedPlace>,
  filter: PlaceFilter,
  today: CalendarDate,
  limit = Infinity,
): Generator<VersionedPlace> {
  let left = limit;
  for (const place of candidates) {
    if (left === 0) return;
    if (!isWanted(place, filter, today)) continue;
    left -= 1;
    yield place;
  }
}

/** Undefined on the last page. */
function lastBeforeMore(places: Iterable<VersionedPlace>, limit: number): Uuid | undefined {
  if (limit === Infinity) return undefined;
  let last: Uuid | undefined;
  let left = limit;
  for (const { id } of places) {
    if (left === 0) return last;
    left -= 1;
    last = id;
  }
  return undefined;
}

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
