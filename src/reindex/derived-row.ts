import type { EventConfiguration } from '../domain/event-configuration/event-configuration.js';
import type { RecordRow } from '../records/record-row.js';
import { recordRow } from '../records/record-row.js';
import { storedHistory } from '../records/stored-events.js';
import { storedProjection } from '../records/stored-projection.js';
import type { EventRow } from './event-batches.js';

/** What must be derived from an event. Throws, naming the event, if its stored data cannot be read. */
export function derivedRow(event: EventRow, configuration: EventConfiguration): RecordRow {
  try {
    return recordRow(storedProjection({ ...event, ...storedHistory(event, event.body) }, configuration));
  } catch (error) {
    throw new Error(`event ${event.id}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
