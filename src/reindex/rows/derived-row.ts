import type { KnownVocabulary } from '../../derived/words/known-vocabulary.js';
import type { EventConfiguration } from '../../domain/event-configuration/event-configuration.js';
import { messageOf } from '../../errors/message-of.js';
import type { RecordRow } from '../../records/record-row.js';
import { recordRow } from '../../records/record-row.js';
import { storedHistory } from '../../records/stored-events.js';
import { storedProjection } from '../../records/stored-projection.js';
import type { EventRow } from '../event-batches.js';

/**
 * What must be derived from an event; vocabulary that is `known` is left out. Throws, naming the event, if its stored
 * data cannot be read.
 */
export async function derivedRow(
  event: EventRow,
  configuration: EventConfiguration,
  known?: KnownVocabulary,
): Promise<RecordRow> {
  try {
    const history = await storedHistory(event, event.body);
    return recordRow(storedProjection({ ...event, ...history }, configuration), known);
  } catch (error) {
    throw new Error(`event ${event.id}: ${messageOf(error)}`, { cause: error });
  }
}
