import type { Place } from '../../kernel/domain/location.js';
import type { RecordOptions, RowFilter } from '../../kernel/domain/scopes/caller.js';
import { PLACE_OPTIONS, type PlaceOption } from '../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/** `kind` is needed for `kindOf` alone. */
type HierarchyPlace = Pick<Place, 'id' | 'partOf'> & Partial<Pick<Place, 'kind'>>;

/** Places can be added; changing one requires a new hierarchy. */
export class Hierarchy {
  private readonly places: Map<string, HierarchyPlace>;
  private readonly children = new Map<Uuid, Uuid[]>();
  private readonly found = new Map<string, readonly Uuid[]>();

  constructor(places: readonly HierarchyPlace[]) {
    this.places = new Map(places.map((place) => [place.id, place]));
    for (const place of places) this.addToParent(place);
  }

  add(place: HierarchyPlace): void {
    this.places.set(place.id, place);
    this.addToParent(place);
    for (const around of [place.id, ...this.ancestors(place.id)]) this.found.delete(around);
  }

  private addToParent({ id, partOf }: HierarchyPlace): void {
    if (partOf === null) return;
    const siblings = this.children.get(partOf);
    if (siblings === undefined) this.children.set(partOf, [id]);
    else siblings.push(id);
  }

  /** `id` is in lower case. */
  kindOf(id: string): Place['kind'] | undefined {
    return this.places.get(id)?.kind;
  }

  /** Includes the place, nearest first; empty for an unknown one (S-9). `id` is in lower case. */
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

  isWithin(place: string, area: string): boolean {
    const seen = new Set<string>();
    for (let at = this.places.get(place); at !== undefined && !seen.has(at.id); at = this.places.get(at.partOf ?? '')) {
      if (at.id === area) return true;
      seen.add(at.id);
    }
    return false;
  }

  /** Nearest first. */
  ancestors(id: string): readonly Uuid[] {
    const places = new Set<Uuid>();
    for (let at = this.parentOf(id); at !== null && !places.has(at); at = this.parentOf(at)) places.add(at);
    return [...places];
  }

  private parentOf(id: string): Uuid | null {
    return this.places.get(id)?.partOf ?? null;
  }
}

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
