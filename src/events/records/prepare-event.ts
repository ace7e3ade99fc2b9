import type { Steps } from '../../platform/queue/time-slice.js';
import type { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventDocument } from '../../kernel/domain/event-action.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { requireBounded } from './forms/declaration-size.js';
import { requireReplayable } from './history-bounds.js';
import { projectEvent } from './project/project-event.js';
import { type RecordRow, recordRowSteps } from './record-row.js';

/** A record without a history, or a history. */
export type IncomingEvent =
  | { readonly kind: 'record'; readonly record: EventRecord }
  | { readonly kind: 'document'; readonly document: EventDocument };

export interface PreparedEvent {
  readonly id: Uuid;
  readonly incoming: IncomingEvent;
  readonly configuration: EventConfiguration;
  /** Stored if the event is unknown. */
  readonly row: RecordRow;
}

/** `known` is not written again. Throws 400 beyond Q-1. */
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
