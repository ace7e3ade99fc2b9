import type { Place } from '../domain/location.js';
import type { Uuid } from '../domain/uuid.js';

type Node = Pick<Place, 'id' | 'partOf'>;

const NONE: readonly Uuid[] = [];

/** The hierarchy of administrative areas and locations at one moment. It holds no loop: an import refuses one. */
export class Hierarchy {
  private readonly parents: ReadonlyMap<string, Uuid | null>;
  private readonly children: ReadonlyMap<string, readonly Uuid[]>;
  private readonly found = new Map<string, readonly Uuid[]>();

  constructor(places: readonly Node[]) {
    this.parents = new Map(places.map(({ id, partOf }) => [id, partOf]));
    const children = new Map<string, Uuid[]>();
    for (const { id, partOf } of places) {
      if (partOf === null) continue;
      const siblings = children.get(partOf);
      if (siblings === undefined) children.set(partOf, [id]);
      else siblings.push(id);
    }
    this.children = children;
  }

  /** The place and everything below it (S-9); nothing for an unknown one. */
  below(id: string): readonly Uuid[] {
    if (!this.parents.has(id)) return NONE;
    const known = this.found.get(id);
    if (known !== undefined) return known;
    const places = [id as Uuid];
    // The list grows while it is walked: each place appends its own children.
    for (const place of places) places.push(...(this.children.get(place) ?? []));
    this.found.set(id, places);
    return places;
  }

  /** What contains the place, the nearest first. */
  ancestors(id: string): readonly Uuid[] {
    const above: Uuid[] = [];
    for (let parent = this.parents.get(id); parent != null; parent = this.parents.get(parent)) above.push(parent);
    return above;
  }
}
