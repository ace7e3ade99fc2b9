import type { ThrottledRoute } from './throttling-table.js';

/**
 * Counts the requests of the throttling table (U-8). The gateway provides it: in memory, or in Redis for all processes.
 */
export abstract class RequestThrottle {
  /**
   * Counts one more request. `key`: the value of the member that the table names for the route, as it was sent, or the
   * id of the session; '' where it names none. Throws 429 with `Retry-After` where it is one too many for the route or
   * for the address.
   */
  abstract take(route: ThrottledRoute, key: string, address: string): Promise<void>;
}
