import type { ClaimBounds } from './choose-due.js';
import type { LeaseTerms } from './held-lease.js';

/** Bounds over all processes (E-15). A kind that was not answered within a second lately gets few. */
export const COUNTRY_BOUNDS: ClaimBounds = {
  all: 20,
  ofPace: { quick: 20, unknown: 20, slow: 10 },
  ofAKind: { quick: 15, unknown: 5, slow: 5 },
  atATime: 20,
};

/**
 * A lease lasts this much beyond the time-out of the exchange: until it has begun, and until its outcome is recorded.
 */
const BEYOND_TIMEOUT_SECONDS = 20;

/** The leases of what is posted to the country configuration. */
export const countryTerms = (timeoutSeconds: number): LeaseTerms => ({
  timeoutMs: Math.ceil(timeoutSeconds) * 1_000,
  leaseMs: (Math.ceil(timeoutSeconds) + BEYOND_TIMEOUT_SECONDS) * 1_000,
});
