import type { Place, VersionedPlace } from '../domain/location.js';
import { Hierarchy } from './hierarchy.js';

/** Every place, as of one moment. It is immutable; a change makes a new one. */
export class KnownPlaces {
  readonly hierarchy: Hierarchy;
  private readonly lists = new Map<Place['kind'], readonly VersionedPlace[]>();

  /**
   * `state` identifies this content on any process: the server with its history, and the last revision. `hierarchy` may
   * be passed on where nothing was added or moved.
   */
  constructor(
    private readonly places: ReadonlyMap<string, VersionedPlace>,
    readonly state: { readonly incarnation: string; readonly revision: string } = { incarnation: '', revision: '0' },
    hierarchy?: Hierarchy,
  ) {
    this.hierarchy = hierarchy ?? new Hierarchy([...places.values()]);
  }

  get size(): number {
    return this.places.size;
  }

  /** The place with this id, in lower case. */
  get(id: string): VersionedPlace | undefined {
    return this.places.get(id);
  }

  /** The areas, or the locations, in the order of their ids. */
  list(kind: Place['kind']): readonly VersionedPlace[] {
    const known = this.lists.get(kind);
    if (known !== undefined) return known;
    // Mostly in order already, which makes sorting quick.
    const list = [...this.places.values()].filter((place) => place.kind === kind).sort(byId);
    this.lists.set(kind, list);
    return list;
  }

  /** These places with some of them added or replaced. */
  with(changed: readonly VersionedPlace[], state: KnownPlaces['state']): KnownPlaces {
    if (changed.length === 0) return this;
    const stays = changed.every((place) => {
      const before = this.places.get(place.id);
      return before !== undefined && before.partOf === place.partOf && before.kind === place.kind;
    });
    const places = new Map(this.places);
    for (const place of changed) places.set(place.id, place);
    return new KnownPlaces(places, state, stays ? this.hierarchy : undefined);
  }
}

const byId = (one: VersionedPlace, other: VersionedPlace): number => (one.id < other.id ? -1 : 1);
