import type { CalendarDate } from './calendar.js';
import type { Uuid } from './uuid.js';

export interface Place {
  readonly id: Uuid;
  readonly kind: 'administrativeArea' | 'location';
  readonly name: string;
  /** The containing administrative area; null at the top. */
  readonly partOf: Uuid | null;
  /** `CRVS_OFFICE`, `HEALTH_FACILITY`, …; null for an administrative area. */
  readonly locationType: string | null;
}

export const PLACE_STATUSES = ['active', 'inactive'] as const;

export type PlaceStatus = (typeof PLACE_STATUSES)[number];

export const ALWAYS = '0001-01-01' as CalendarDate;

export interface PlaceState {
  readonly name: string;
  /** In another system; unique among active places of a kind at any time. */
  readonly externalId: string | null;
  readonly status: PlaceStatus;
}

/** The state from a day on, until the next version (L-1). */
export interface PlaceVersion extends PlaceState {
  readonly versionId: Uuid;
  readonly effectiveFrom: CalendarDate;
}

/** Per place, the first included (L-1). */
export const MOST_VERSIONS = 1_000;

/** At least one, ordered by day; days are distinct. */
export type PlaceVersions = readonly [PlaceVersion, ...PlaceVersion[]];

export interface VersionedPlace extends Omit<Place, 'name'> {
  readonly versions: PlaceVersions;
}
