import pg from 'pg';

/** What no two events may share beside their id. */
export type UniqueValue = 'trackingId' | 'registrationNumber';

const UNIQUE_VIOLATION = '23505';

const CONSTRAINTS: ReadonlyMap<string, 'id' | UniqueValue> = new Map([
  ['event_id_key', 'id'],
  ['event_tracking_id_key', 'trackingId'],
  ['event_search_registration_number', 'registrationNumber'],
]);

/** The value that the database refused because another event has it; undefined for every other error. */
export function uniqueViolation(error: unknown): 'id' | UniqueValue | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) return undefined;
  return CONSTRAINTS.get(error.constraint ?? '');
}
