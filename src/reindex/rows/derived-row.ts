import type { KnownVocabulary } from '../../derived/words/known-vocabulary.js';
import type { EventConfiguration } from '../../domain/event-configuration/event-configuration.js';
import type { RecordRow } from '../../records/record-row.js';
import { recordRow } from '../../records/record-row.js';
import { storedHistory } from '../../records/stored-events.js';
import { storedProjection } from '../../records/stored-projection.js';
import type { EventRow } from '../event-batches.js';

/**
 * What must be derived from an event; vocabulary that is `known` is left out. Throws, naming the event, if its stored
 * data cannot be read.
 */
export function derivedRow(event: EventRow, configuration: EventConfiguration, known?: KnownVocabulary): RecordRow {
  try {
    return recordRow(storedProjection({ ...event, ...storedHistory(event, event.body) }, configuration), known);
  } catch (error) {
    throw new Error(`event ${event.id}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
