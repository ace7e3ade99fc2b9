import type { Sizes } from './sizes.js';

/** Of a database that nothing is known of: every condition seems as rare as every other. */
export const UNKNOWN_SIZES: Sizes = {
  records: 0,
  ofTerm: () => 0,
  ofLocations: () => 0,
  ofInstants: () => 0,
};
