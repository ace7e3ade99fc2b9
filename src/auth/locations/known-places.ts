import type { Place, VersionedPlace } from '../../kernel/domain/location.js';
import { Hierarchy } from './hierarchy.js';

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

  /**
   * Returns a later snapshot, which takes ownership of this one's data, since a rebuild would block the event loop.
   * Earlier lists stay unchanged.
   */
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
