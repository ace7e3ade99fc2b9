import type { Cardinalities } from './cardinalities.js';

/** For a database without statistics: every condition seems equally selective. */
export const UNKNOWN_CARDINALITIES: Cardinalities = {
  records: 0,
  ofTerm: () => 0,
  ofLocations: () => 0,
  ofInstants: () => 0,
};
