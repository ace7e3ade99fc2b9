import type { CalendarDate } from './calendar.js';
import type { Uuid } from './uuid.js';

/** A node of the hierarchy: administrative areas contain areas and locations (offices, facilities). */
export interface Place {
  readonly id: Uuid;
  readonly kind: 'administrativeArea' | 'location';
  readonly name: string;
  /** The administrative area that contains it; null at the top. */
  readonly partOf: Uuid | null;
  /** `CRVS_OFFICE`, `HEALTH_FACILITY`, …; null for an administrative area. */
  readonly locationType: string | null;
}

/** Whether a place is in use. */
export const PLACE_STATUSES = ['active', 'inactive'] as const;

/** One of the two. */
export type PlaceStatus = (typeof PLACE_STATUSES)[number];

/** The `effectiveFrom` of a version that has been in effect always. */
export const ALWAYS = '0001-01-01' as CalendarDate;

/** What changes about a place over time. */
export interface PlaceState {
  readonly name: string;
  /** The place's id in another system; unique among the active places of a kind at any time. */
  readonly externalId: string | null;
  readonly status: PlaceStatus;
}

/** The state of a place from a day on, until the next version (L-1). */
export interface PlaceVersion extends PlaceState {
  readonly versionId: Uuid;
  readonly effectiveFrom: CalendarDate;
}

/** How many versions a place may have, the first included (L-1). */
export const MOST_VERSIONS = 1_000;

/** At least one, in the order of their days; no two have the same day. */
export type PlaceVersions = readonly [PlaceVersion, ...PlaceVersion[]];

/** A place with all its versions. */
export interface VersionedPlace extends Omit<Place, 'name'> {
  readonly versions: PlaceVersions;
}
