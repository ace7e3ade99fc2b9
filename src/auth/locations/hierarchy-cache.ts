import { Inject, Injectable } from '@nestjs/common';
import type { Place, VersionedPlace } from '../../kernel/domain/location.js';
import type { RecordOptions, RowFilter } from '../../kernel/domain/scopes/caller.js';
import { PLACE_OPTIONS, type PlaceOption } from '../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { ChangeFeed, Followed } from '../../platform/database/connection/change-feed.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { INCARNATION } from '../../platform/database/connection/server-look.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import { readVersionedPlaces, type StoredPlace } from './place-versions.js';

/** `kind` is needed for `kindOf` alone. */
type HierarchyPlace = Pick<Place, 'id' | 'partOf'> & Partial<Pick<Place, 'kind'>>;

/** Places can be added; changing one requires a new hierarchy. */
export class Hierarchy {
  private readonly places: Map<string, HierarchyPlace>;
  private readonly children = new Map<Uuid, Uuid[]>();
  private readonly found = new Map<string, readonly Uuid[]>();

  constructor(places: readonly HierarchyPlace[]) {
    this.places = new Map(places.map((place) => [place.id, place]));
    for (const place of places) this.addToParent(place);
  }

  add(place: HierarchyPlace): void {
    this.places.set(place.id, place);
    this.addToParent(place);
    for (const around of [place.id, ...this.ancestors(place.id)]) this.found.delete(around);
  }

  private addToParent({ id, partOf }: HierarchyPlace): void {
    if (partOf === null) return;
    const siblings = this.children.get(partOf);
    if (siblings === undefined) this.children.set(partOf, [id]);
    else siblings.push(id);
  }

  /** `id` is in lower case. */
  kindOf(id: string): Place['kind'] | undefined {
    return this.places.get(id)?.kind;
  }

  /** Includes the place, nearest first; empty for an unknown one (S-9). `id` is in lower case. */
  below(id: string): readonly Uuid[] {
    const known = this.found.get(id);
    if (known !== undefined) return known;
    const top = this.places.get(id);
    if (top === undefined) return [];
    // Iterating over a set includes members added meanwhile, each once.
    const places = new Set([top.id]);
    for (const place of places) for (const child of this.children.get(place) ?? []) places.add(child);
    const result = [...places];
    this.found.set(id, result);
    return result;
  }

  isWithin(place: string, area: string): boolean {
    const seen = new Set<string>();
    for (let at = this.places.get(place); at !== undefined && !seen.has(at.id); at = this.places.get(at.partOf ?? '')) {
      if (at.id === area) return true;
      seen.add(at.id);
    }
    return false;
  }

  /** Nearest first. */
  ancestors(id: string): readonly Uuid[] {
    const places = new Set<Uuid>();
    for (let at = this.parentOf(id); at !== null && !places.has(at); at = this.parentOf(at)) places.add(at);
    return [...places];
  }

  private parentOf(id: string): Uuid | null {
    return this.places.get(id)?.partOf ?? null;
  }
}

/**
 * Resolves jurisdiction options for the caller's office: `location` is the office, `administrativeArea` its area, each
 * with everything below; an office at the top has the country (U-5). Without an office they admit nothing; an unknown
 * office has no places.
 */
export function inJurisdiction(
  rowFilter: RowFilter,
  office: Uuid | undefined,
  places: Pick<Hierarchy, 'below' | 'ancestors'>,
): RowFilter {
  if (rowFilter === 'everything' || office === undefined) return rowFilter;
  const own = places.below(office);
  const [area] = places.ancestors(office);
  const inArea = area === undefined ? undefined : places.below(area);
  const located = rowFilter.map((options) => locatedOptions(options, own, own.length === 0 ? own : inArea));
  return located.some((options) => Object.keys(options).length === 0) ? 'everything' : located;
}

/** `inArea` undefined: everywhere. */
function locatedOptions(
  options: RecordOptions,
  own: readonly Uuid[],
  inArea: readonly Uuid[] | undefined,
): RecordOptions {
  const { placeOfEvent, declaredIn, registeredIn, notifiedIn, ...rest } = options;
  const jurisdictions = { placeOfEvent, declaredIn, registeredIn, notifiedIn };
  const within = Object.fromEntries(
    PLACE_OPTIONS.flatMap((name): [PlaceOption, readonly Uuid[]][] => {
      const admitted = jurisdictions[name] === 'location' ? own : inArea;
      return jurisdictions[name] === undefined || admitted === undefined ? [] : [[name, admitted]];
    }),
  );
  return Object.keys(within).length === 0 ? rest : { ...rest, within };
}

export class KnownPlaces {
  private readonly lists = new Map<Place['kind'], readonly VersionedPlace[]>();

  /** `state` is equal across processes: server history and last revision. */
  constructor(
    private readonly places: Map<string, VersionedPlace>,
    readonly state: { readonly incarnation: string; readonly revision: string } = { incarnation: '', revision: '0' },
    readonly hierarchy = new Hierarchy([...places.values()]),
  ) {}

  get size(): number {
    return this.places.size;
  }

  /** `id` is in lower case. */
  get(id: string): VersionedPlace | undefined {
    return this.places.get(id);
  }

  /** In order of id. */
  list(kind: Place['kind']): readonly VersionedPlace[] {
    const known = this.lists.get(kind);
    if (known !== undefined) return known;
    const list = [...this.places.values()].filter((place) => place.kind === kind).sort(byId);
    this.lists.set(kind, list);
    return list;
  }

  /** For each place, those below it (`Hierarchy.below`). */
  *areas(): Iterable<readonly Uuid[]> {
    for (const id of this.places.keys()) yield this.hierarchy.below(id);
  }

  /** A later state, which takes this one's data over: a rebuild would block. Earlier lists stay unchanged. */
  with(changed: readonly VersionedPlace[], state: KnownPlaces['state']): KnownPlaces {
    const hasMoved = changed.some(({ id, partOf, kind }) => {
      const before = this.places.get(id);
      return before !== undefined && (before.partOf !== partOf || before.kind !== kind);
    });
    for (const place of changed) {
      if (!hasMoved && !this.places.has(place.id)) this.hierarchy.add(place);
      this.places.set(place.id, place);
    }
    const later = new KnownPlaces(this.places, state, hasMoved ? undefined : this.hierarchy);
    if (!hasMoved) for (const [kind, list] of this.lists) later.lists.set(kind, withChanged(list, kind, changed));
    return later;
  }
}

const byId = (one: VersionedPlace, other: VersionedPlace): number => (one.id < other.id ? -1 : 1);

function withChanged(
  list: readonly VersionedPlace[],
  kind: Place['kind'],
  changed: readonly VersionedPlace[],
): readonly VersionedPlace[] {
  const ofKind = changed.filter((place) => place.kind === kind);
  if (ofKind.length === 0) return list;
  const replaced = new Map(ofKind.map((place) => [place.id, place]));
  const same = list.map((place) => take(replaced, place.id) ?? place);
  return replaced.size === 0 ? same : [...same, ...replaced.values()].sort(byId);
}

function take<K, V>(from: Map<K, V>, key: K): V | undefined {
  const value = from.get(key);
  from.delete(key);
  return value;
}

/** Batch size that keeps the event loop responsive. */
const AT_A_TIME = 2_000;

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Reads changes since `known`, or everything after deletions or a failover (Q-4). */
export async function readKnownPlaces(database: Connections, known: KnownPlaces): Promise<KnownPlaces> {
  // `known` changes only after the snapshot, so that a failed reading can be repeated.
  const later = await database.snapshot(async (snapshot): Promise<() => KnownPlaces> => {
    const now = await readState(snapshot);
    if (now.incarnation === known.state.incarnation) {
      const changed: VersionedPlace[] = [];
      await inParts(
        snapshot,
        known.state.revision,
        revisionOf,
        (last) => [sql`p.revision > ${last}::bigint`, sql`order by p.revision limit ${AT_A_TIME}`],
        (place) => changed.push(place),
      );
      const added = changed.filter(({ id }) => known.get(id) === undefined).length;
      if (known.size + added === now.count) return () => known.with(changed, now);
    }
    const all = new Map<string, VersionedPlace>();
    await inParts(
      snapshot,
      NO_ID,
      idOf,
      (last) => [sql`p.id ${last === NO_ID ? sql`>=` : sql`>`} ${last}::uuid`, sql`order by p.id limit ${AT_A_TIME}`],
      (place) => all.set(place.id, place),
    );
    return () => new KnownPlaces(all, now);
  });
  return later();
}

interface State {
  readonly incarnation: string;
  readonly revision: string;
  readonly count: number;
}

async function readState(reader: Queryable): Promise<State> {
  const [state] = await reader.query<State>(sql`
    select ${INCARNATION} as incarnation,
           coalesce(max(revision), 0) as revision, count(*)::int as count
      from place`);
  if (state === undefined) throw new Error('the server said nothing of its places');
  return state;
}

const revisionOf = ({ revision }: StoredPlace): string => revision;
const idOf = ({ id }: StoredPlace): string => id;

async function inParts(
  reader: Queryable,
  first: string,
  keyOf: (place: StoredPlace) => string,
  partAfter: (last: string) => readonly [condition: Sql, end: Sql],
  take: (place: VersionedPlace) => unknown,
): Promise<void> {
  for (let after = first; ;) {
    const part = await readVersionedPlaces(reader, ...partAfter(after));
    for (const { id, kind, partOf, locationType, versions } of part) {
      take({ id, kind, partOf, locationType, versions });
    }
    const last = part.at(-1);
    if (last === undefined || part.length < AT_A_TIME) return;
    after = keyOf(last);
  }
}

/** Caches places and hierarchy; empty until the change feed starts. Each announced change triggers a read. */
@Injectable()
export class HierarchyCache extends Followed {
  private known = new KnownPlaces(new Map());

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    feed: ChangeFeed,
  ) {
    super(feed, 'places_changed');
    feed.on('place_versions_changed', () => this.refresh());
  }

  /** Await `current()` before. */
  get places(): KnownPlaces {
    return this.known;
  }

  /** Active or not. `id` is in lower case. Await `current()` before. */
  isLocation(id: string): boolean {
    return this.known.hierarchy.kindOf(id) === 'location';
  }

  /** Includes the place; empty for an unknown one (S-9). */
  below(id: string): readonly Uuid[] {
    return this.known.hierarchy.below(id);
  }

  /** True for the area itself; false for unknown ones (S-9). */
  isWithin(place: string, area: string): boolean {
    return this.known.hierarchy.isWithin(place, area);
  }

  /** Nearest first. */
  ancestors(id: string): readonly Uuid[] {
    return this.known.hierarchy.ancestors(id);
  }

  protected async load(): Promise<void> {
    this.known = await readKnownPlaces(this.database, this.known);
  }
}
