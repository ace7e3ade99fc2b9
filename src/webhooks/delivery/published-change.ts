import type { EventAction } from '../../kernel/domain/event-action.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { FilesByPath } from '../context/context-input.js';
import type { Topic } from '../topic.js';
import { topicOfChange } from '../topic-of-change.js';

/** An action that was added to an event, with the record after it. */
export interface PublishedChange {
  readonly record: EventRecord;
  readonly action: EventAction;
  /** Who notified the event; absent if nobody did. */
  readonly notifiedBy?: string | undefined;
  /** Of the request that brought it (G-5); absent: of the one that publishes. */
  readonly correlationId?: string | undefined;
}

/** The files that notifications enclose (W-13), by event; read before the transaction, which must not wait for them. */
export type FilesByEvent = ReadonlyMap<Uuid, FilesByPath>;

/** The subscriptions for which a transaction has published something, to be announced after its commit. */
export type Published = ReadonlySet<Uuid>;

/** A change that has a topic. */
export interface TopicalChange extends PublishedChange {
  readonly topic: Topic;
}

/** The same, if it has one. */
export function topicalOf(change: PublishedChange): TopicalChange[] {
  const { record, action } = change;
  const topic = topicOfChange({ eventType: record.type, action: action.type, status: action.status });
  return topic === undefined ? [] : [{ ...change, topic }];
}
