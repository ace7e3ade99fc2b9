import type { Place } from '../domain/location.js';
import type { Uuid } from '../domain/uuid.js';

/** What the hierarchy knows of a place; `kind` is needed for `kindOf` alone. */
type HierarchyPlace = Pick<Place, 'id' | 'partOf'> & Partial<Pick<Place, 'kind'>>;

/** Which areas contain which areas and locations. It is immutable; a change makes a new one. */
export class Hierarchy {
  private readonly places: ReadonlyMap<string, HierarchyPlace>;
  private readonly children: ReadonlyMap<Uuid, readonly Uuid[]>;
  private readonly found = new Map<string, readonly Uuid[]>();

  constructor(places: readonly HierarchyPlace[]) {
    this.places = new Map(places.map((place) => [place.id, place]));
    const children = new Map<Uuid, Uuid[]>();
    for (const { id, partOf } of places) {
      if (partOf === null) continue;
      const siblings = children.get(partOf);
      if (siblings === undefined) children.set(partOf, [id]);
      else siblings.push(id);
    }
    this.children = children;
  }

  /** What the place is; undefined for an unknown one. `id` is in lower case. */
  kindOf(id: string): Place['kind'] | undefined {
    return this.places.get(id)?.kind;
  }

  /** The place and everything below it, nearest first; nothing for an unknown one (S-9). `id` is in lower case. */
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

  /** Whether the place is among those `below` the area, without listing them. */
  isWithin(place: string, area: string): boolean {
    const seen = new Set<string>();
    for (let at = this.places.get(place); at !== undefined && !seen.has(at.id); at = this.places.get(at.partOf ?? '')) {
      if (at.id === area) return true;
      seen.add(at.id);
    }
    return false;
  }

  /** What contains the place, the nearest first. */
  ancestors(id: string): readonly Uuid[] {
    const places = new Set<Uuid>();
    for (let at = this.parentOf(id); at !== null && !places.has(at); at = this.parentOf(at)) places.add(at);
    return [...places];
  }

  private parentOf(id: string): Uuid | null {
    return this.places.get(id)?.partOf ?? null;
  }
}
