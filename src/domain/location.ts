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
