import type { RecordOptions, RowFilter } from '../../kernel/domain/scopes/caller.js';
import { PLACE_OPTIONS, type PlaceOption } from '../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Hierarchy } from './hierarchy.js';

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
