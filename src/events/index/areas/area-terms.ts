import { byColumn } from '../../../kernel/domain/searched-fields.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { Hierarchy } from '../../../auth/locations/hierarchy.js';
import { LOCATION_FIELDS, type LocationColumn } from '../location-columns.js';
import { type Term, TermKind } from '../terms/term-kind.js';

/**
 * How many levels of the hierarchy, from the top, have terms. On lower levels a condition on a column leaves few enough
 * records; on these it would leave a large part of all.
 */
const LEVELS = 2;

const KINDS: Readonly<Record<LocationColumn, TermKind>> = byColumn(
  LOCATION_FIELDS,
  ({ search }) => new TermKind(`${search.terms} within=`, 'always'),
);

/** The term of a record that names, in this column, the area or a place in it. */
export const areaTerm = (column: LocationColumn, area: Uuid): Term => KINDS[column].term(area);

/** Whether this is the text of a term of an area. */
export const isOfArea = (text: string): boolean => Object.values(KINDS).some(({ prefix }) => text.startsWith(prefix));

/**
 * The areas whose terms a record that names this place has: the topmost of the areas that contain it, itself included.
 */
export const areasWithTerms = (hierarchy: Hierarchy, place: Uuid): readonly Uuid[] =>
  [place, ...hierarchy.ancestors(place)].slice(-LEVELS);
