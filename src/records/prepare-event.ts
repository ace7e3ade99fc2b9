import type { Steps } from '../database/time-slice.js';
import type { KnownVocabulary } from '../derived/words/known-vocabulary.js';
import type { EventConfiguration } from '../domain/event-configuration/event-configuration.js';
import type { EventDocument } from '../domain/record/event-action.js';
import type { EventRecord } from '../domain/record/event-record.js';
import type { Uuid } from '../domain/uuid.js';
import { requireBounded } from './forms/declaration-size.js';
import { requireReplayable } from './history-bounds.js';
import { projectEvent } from './project/project-event.js';
import type { RecordRow } from './record-row.js';
import { recordRowSteps } from './record-row.js';

/** The input for one event: a record without a history, or a history. */
export type IncomingEvent =
  | { readonly kind: 'record'; readonly record: EventRecord }
  | { readonly kind: 'document'; readonly document: EventDocument };

/** An incoming event with everything that can be computed without the database. */
export interface PreparedEvent {
  readonly id: Uuid;
  readonly incoming: IncomingEvent;
  readonly configuration: EventConfiguration;
  /** What to store if the event is not known yet. */
  readonly row: RecordRow;
}

/** `known` need not be written again. Throws 400 if the event is larger than any may be. */
export function* prepareEventSteps(
  incoming: IncomingEvent,
  configuration: EventConfiguration,
  known?: KnownVocabulary,
): Steps<PreparedEvent> {
  if (incoming.kind === 'document') requireReplayable(incoming.document.actions);
  const projected =
    incoming.kind === 'record'
      ? { record: incoming.record, notified: undefined }
      : projectEvent(incoming.document, configuration);
  requireBounded(projected.record.declaration);
  return { id: projected.record.id, incoming, configuration, row: yield* recordRowSteps(projected, known) };
}
