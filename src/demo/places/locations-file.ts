import type { Uuid } from '../../domain/uuid.js';

/** An administrative area. */
export interface AreaEntry {
  readonly id: Uuid;
  readonly name: string;
  readonly partOf: Uuid | null;
}

/** An office or a health facility. */
export interface LocationEntry extends AreaEntry {
  readonly partOf: Uuid;
  readonly locationType: 'CRVS_OFFICE' | 'HEALTH_FACILITY';
}

/** What `matricula import locations` takes; parents come before their children. */
export interface LocationsFile {
  readonly administrativeAreas: readonly AreaEntry[];
  readonly locations: readonly LocationEntry[];
}
