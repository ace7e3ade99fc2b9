import type { Place } from '../domain/location.js';
import { Faults } from '../errors/faults.js';
import { memberPath } from '../errors/issue-path.js';
import type { PlaceEntry } from './parse-locations-file.js';

type Node = Pick<Place, 'id' | 'kind' | 'partOf'>;

/**
 * Whether the places that are `stored`, with those of the file put over them, are a hierarchy: every parent is a known
 * administrative area, and nothing contains itself. Throws 400 naming every place that is wrong, and the loop.
 */
export function checkHierarchy(entries: readonly PlaceEntry[], stored: readonly Node[]): void {
  const faults = new Faults();
  const places = new Map<string, Node>(stored.map((place) => [place.id, place]));
  for (const { place } of entries) places.set(place.id, place);

  for (const { place, path } of entries) {
    if (place.partOf === null) continue;
    const parent = places.get(place.partOf);
    if (parent === undefined) {
      faults.add(memberPath(path, 'partOf'), `${place.partOf} is neither in the file nor known already`);
    } else if (parent.kind === 'location') {
      faults.add(memberPath(path, 'partOf'), `${place.partOf} is a location, and cannot contain others`);
    }
  }
  refuseContainingLocations(entries, stored, places, faults);
  for (const [path, loop] of loops(entries, places)) {
    faults.add(memberPath(path, 'partOf'), `makes a loop: ${loop.join(' → ')}`);
  }
  faults.throwIfAny('The file cannot be imported');
}

/** An area that the file turns into a location must contain nothing any more. */
function refuseContainingLocations(
  entries: readonly PlaceEntry[],
  stored: readonly Node[],
  places: ReadonlyMap<string, Node>,
  faults: Faults,
): void {
  const containing = new Set(stored.map(({ id }) => places.get(id)?.partOf));
  for (const { place, path } of entries) {
    if (place.kind === 'location' && containing.has(place.id)) {
      faults.add(memberPath(path, 'id'), `${place.id} contains others already, and cannot become a location`);
    }
  }
}

/** Every loop once, at the first entry that is part of it. */
function loops(entries: readonly PlaceEntry[], places: ReadonlyMap<string, Node>): [path: string, loop: string[]][] {
  const done = new Set<string>();
  const found: [string, string[]][] = [];
  for (const { place, path } of entries) {
    const way: string[] = [];
    let next: Node | undefined = place;
    while (next !== undefined && !done.has(next.id) && !way.includes(next.id)) {
      way.push(next.id);
      next = next.partOf === null ? undefined : places.get(next.partOf);
    }
    const from = next === undefined ? -1 : way.indexOf(next.id);
    if (from >= 0) found.push([path, [...way.slice(from), way[from] ?? '']]);
    for (const id of way) done.add(id);
  }
  return found;
}
