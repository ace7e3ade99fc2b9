import type { Uuid } from '../../domain/uuid.js';
import type { Hierarchy } from '../../locations/hierarchy.js';
import type { LocationColumn } from '../location-columns.js';
import type { Term } from '../terms/term-kind.js';
import { TermKind } from '../terms/term-kind.js';

/**
 * How many levels of the hierarchy, from the top, have terms. Below, a condition on a column leaves few enough records;
 * above, it would leave a good part of all.
 */
const LEVELS = 2;

const KINDS: Readonly<Record<LocationColumn, TermKind>> = {
  created_at_location: new TermKind('createdAtLocation within=', 'always'),
  updated_at_location: new TermKind('updatedAtLocation within=', 'always'),
  declared_created_at_location: new TermKind('declaredCreatedAtLocation within=', 'always'),
  registered_created_at_location: new TermKind('registeredCreatedAtLocation within=', 'always'),
};

/** The term of a record that names, in the column, the area or a place in it. */
export const areaTerm = (column: LocationColumn, area: Uuid): Term => KINDS[column].term(area);

/** Whether a term of this text is one of an area. */
export const isOfArea = (text: string): boolean => Object.values(KINDS).some(({ prefix }) => text.startsWith(prefix));

/** The areas whose terms a record has that names the place: of those that contain it, and itself, the topmost. */
export const areasWithTerms = (hierarchy: Hierarchy, place: Uuid): readonly Uuid[] =>
  [place, ...hierarchy.ancestors(place)].slice(-LEVELS);
