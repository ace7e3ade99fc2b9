import type { Place } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';

type Node = Pick<Place, 'id' | 'kind' | 'partOf'>;

export interface PlaceInFile extends Place {
  /** Undefined where the file omits it. */
  readonly externalId: string | null | undefined;
}

export interface FiledPlace {
  readonly path: string;
  readonly place: PlaceInFile;
}

/** Records each fault. */
export function checkHierarchy(filed: readonly FiledPlace[], known: ReadonlyMap<Uuid, Node>, faults: Faults): void {
  const byId = new Map<Uuid, FiledPlace>();
  for (const entry of filed) {
    const earlier = byId.get(entry.place.id);
    if (earlier === undefined) byId.set(entry.place.id, entry);
    else faults.add(memberPath(entry.path, 'id'), `is that of ${earlier.path} too`);
  }
  const placeOf = (id: Uuid): Node | undefined => byId.get(id)?.place ?? known.get(id);

  checkParents(filed, placeOf, faults);
  checkChildren(byId, known, faults);
  checkLoops([...byId.values()], placeOf, faults);
}

type PlaceOf = (id: Uuid) => Node | undefined;

function checkParents(filed: readonly FiledPlace[], placeOf: PlaceOf, faults: Faults): void {
  for (const { path, place } of filed) {
    if (place.partOf === null) continue;
    const parent = placeOf(place.partOf);
    if (parent === undefined)
      faults.add(memberPath(path, 'partOf'), `no administrative area has the id ${place.partOf}`);
    if (parent?.kind === 'location') {
      faults.add(memberPath(path, 'partOf'), `${parent.id} is a location, which cannot contain others`);
    }
  }
}

/** An area that becomes a location must not keep children. */
function checkChildren(byId: ReadonlyMap<Uuid, FiledPlace>, known: ReadonlyMap<Uuid, Node>, faults: Faults): void {
  for (const child of known.values()) {
    const parent = child.partOf === null || byId.has(child.id) ? undefined : byId.get(child.partOf);
    if (parent?.place.kind === 'location') {
      faults.add(parent.path, `contains ${child.id}, which a location cannot`);
    }
  }
}

/** Each loop once, at its first place in the file; known places have none. */
function checkLoops(filed: readonly FiledPlace[], placeOf: PlaceOf, faults: Faults): void {
  const cleared = new Set<Uuid>();
  for (const { path, place } of filed) {
    const way = new Set<Uuid>();
    let at: Node | undefined = place;
    while (at !== undefined && !cleared.has(at.id) && !way.has(at.id)) {
      way.add(at.id);
      at = at.partOf === null ? undefined : placeOf(at.partOf);
    }
    if (at !== undefined && way.has(at.id)) {
      const loop = [...way].slice([...way].indexOf(at.id));
      faults.add(memberPath(path, 'partOf'), `leads into a loop: ${[...loop, at.id].join(' is part of ')}`);
    }
    for (const id of way) cleared.add(id);
  }
}
