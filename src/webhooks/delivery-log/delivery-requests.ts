import type { Instant } from '../../domain/calendar.js';
import { parseDateTime } from '../../domain/calendar.js';
import { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';
import type { DeliveryCursor } from './delivery-cursor.js';
import { readCursor } from './delivery-cursor.js';
import type { DeliveryStatus } from './delivery-status.js';
import { DELIVERY_STATUSES, isDeliveryStatus } from './delivery-status.js';

const DEFAULT_LIMIT = 100;
const MOST = 1_000;
const ONE_OF_STATUSES = `must be one of ${DELIVERY_STATUSES.map((status) => `"${status}"`).join(', ')}`;
const DATE_TIME = 'must be a date-time in UTC such as 2026-01-02T03:04:05Z';

/** Which deliveries are asked for (W-10). */
export interface DeliveriesRequest {
  readonly status: DeliveryStatus | undefined;
  readonly limit: number;
  /** Behind which the page begins. */
  readonly after: DeliveryCursor | undefined;
}

/** Which deliveries are to be made again: created in the time from `since` to `until`, both included. */
export interface ReplayRequest {
  readonly since: Instant;
  readonly until: Instant;
  readonly status: DeliveryStatus;
}

/** Reads the query of `GET /webhooks/{id}/deliveries`. Throws 400 with one issue per fault. */
export function parseDeliveriesRequest(query: unknown): DeliveriesRequest {
  const faults = new Faults();
  const { status, limit, cursor } = membersOf(query, ['status', 'limit', 'cursor'], faults);
  if (status !== undefined && !isDeliveryStatus(status)) faults.add('status', ONE_OF_STATUSES);
  const count = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (limit !== undefined && !(typeof limit === 'string' && /^\d+$/.test(limit) && count >= 1 && count <= MOST)) {
    faults.add('limit', `must be a whole number from 1 to ${MOST}`);
  }
  const after = typeof cursor === 'string' ? readCursor(cursor) : undefined;
  if (cursor !== undefined && after === undefined) faults.add('cursor', 'must be one that an answer gave out');
  faults.throwIfAny();
  return { status: isDeliveryStatus(status) ? status : undefined, limit: count, after };
}

/** Reads the body of `POST /webhooks/{id}/replay`. Throws 400 with one issue per fault. */
export function parseReplayRequest(body: unknown): ReplayRequest {
  const faults = new Faults();
  const { since, until, status = 'dead' } = membersOf(body, ['since', 'until', 'status'], faults);
  const [from, to] = [parseDateTime(since), parseDateTime(until)];
  if (from === undefined) faults.add('since', since === undefined ? 'is required' : DATE_TIME);
  if (to === undefined) faults.add('until', until === undefined ? 'is required' : DATE_TIME);
  if (from !== undefined && to !== undefined && from.instant > to.instant) {
    faults.add('until', 'must not be before `since`');
  }
  if (!isDeliveryStatus(status)) faults.add('status', ONE_OF_STATUSES);
  faults.throwIfAny();
  if (from === undefined || to === undefined || !isDeliveryStatus(status)) throw new Error('a fault was not noted');
  return { since: from.instant, until: to.instant, status };
}

function membersOf(value: unknown, known: readonly string[], faults: Faults): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.add('', value === undefined ? 'is required' : 'must be an object');
    return {};
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) faults.add(memberPath('', key), `is not a known key; allowed: ${known.join(', ')}`);
  }
  // Without what every object inherits.
  return Object.fromEntries(Object.entries(value).filter(([key]) => known.includes(key)));
}
