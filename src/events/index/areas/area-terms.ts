import { byColumn } from '../../../kernel/domain/searched-fields.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { Hierarchy } from '../../../auth/locations/hierarchy.js';
import { LOCATION_FIELDS, type LocationColumn } from '../location-columns.js';
import { type Term, TermKind } from '../terms/term-kind.js';

/** The upper levels of the hierarchy. Conditions on lower levels are selective enough. */
const LEVELS = 2;

const KINDS: Readonly<Record<LocationColumn, TermKind>> = byColumn(
  LOCATION_FIELDS,
  ({ search }) => new TermKind(`${search.terms} within=`, 'always'),
);

export const areaTerm = (column: LocationColumn, area: Uuid): Term => KINDS[column].term(area);

export const isOfArea = (text: string): boolean => Object.values(KINDS).some(({ prefix }) => text.startsWith(prefix));

/** Topmost first, the place included. */
export const areasWithTerms = (hierarchy: Hierarchy, place: Uuid): readonly Uuid[] =>
  [place, ...hierarchy.ancestors(place)].slice(-LEVELS);
