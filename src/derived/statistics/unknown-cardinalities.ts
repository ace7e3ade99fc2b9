import type { Cardinalities } from './cardinalities.js';

/** Of a database that nothing is known of: every condition seems as rare as every other. */
export const UNKNOWN_CARDINALITIES: Cardinalities = {
  records: 0,
  ofTerm: () => 0,
  ofLocations: () => 0,
  ofInstants: () => 0,
};
