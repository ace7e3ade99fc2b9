import type { ActionType, EventAction } from '../../kernel/domain/event-action.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { EventChange } from '../records/event-change.js';
import { ActionHistory } from '../records/replay.js';
import { notifierOf } from '../records/project-event.js';

/** A file in our own store, small enough to be sent inside a notification. */
interface EnclosedFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Files of one event by their `path` in its declaration. */
export type FilesByPath = ReadonlyMap<string, EnclosedFile>;

/** The files that notifications enclose (W-13), by event; read before the transaction, which must not wait for them. */
export type FilesByEvent = ReadonlyMap<Uuid, FilesByPath>;

/** An action that was added to an event, with the record after it. */
export interface PublishedChange {
  readonly record: EventRecord;
  readonly action: EventAction;
  /** Who notified the event; absent if nobody did. */
  readonly notifiedBy?: string | undefined;
  /** The id of the request that brought the change (G-5); absent: of the request that publishes. */
  readonly correlationId?: string | undefined;
}

/** The subscriptions for which a transaction has published something, to be announced after its commit. */
export type Published = ReadonlySet<Uuid>;

/** The revision of a topic, null if it never had a subscription, and the time of the transaction. */
export interface TopicLook {
  readonly topic: Topic;
  readonly revision: string | null;
  readonly now: Date;
}

/** Hears of changes in the transaction that writes them; webhooks provide it, and a service without them has none. */
export abstract class EventPublisher {
  /** Reads the state of the topics of the changes, for `ready`; undefined if they have none. */
  abstract look(transaction: Queryable, changes: readonly PublishedChange[]): Promise<readonly TopicLook[] | undefined>;

  /** Reads subscriptions that have changed. The transaction must have no other statement under way. */
  abstract ready(transaction: Queryable, looks: readonly TopicLook[]): Promise<Date | undefined>;

  /** Writes notifications of the changes; resolves with what `announce` needs after the commit. */
  abstract publish(
    transaction: Queryable,
    changes: readonly PublishedChange[],
    filesOf?: FilesByEvent,
    upToDateAt?: Date,
  ): Promise<Published | undefined>;

  /** Has published notifications delivered at once. */
  abstract announce(published: Published): void;
}

/** Reads the files that notifications of an event enclose (W-13). */
export abstract class FilesToEnclose {
  abstract of(eventId: Uuid, actions: readonly ActionType[]): Promise<FilesByPath>;
}

type Actions = Pick<EventChange, 'newActions' | 'knownActions'>;

export function publishedChanges({ record, ...actions }: Pick<EventChange, 'record'> & Actions): PublishedChange[] {
  const notifiedBy = notifierOf(ActionHistory.of([...actions.knownActions, ...actions.newActions]))?.createdBy;
  return publishedActions(actions).map((action) => ({ record, action, notifiedBy }));
}

/** Accepted for the first time, despite repetitions. */
export function publishedActions({ newActions, knownActions }: Actions): readonly EventAction[] {
  const accepted = new Set(knownActions.filter(isAccepted).map(requestOf));
  return newActions.filter((action) => {
    if (!isAccepted(action) || accepted.has(requestOf(action))) return false;
    accepted.add(requestOf(action));
    return true;
  });
}

const isAccepted = ({ status }: EventAction): boolean => status === 'Accepted';

/** The action itself if accepted at once. */
const requestOf = ({ id, originalActionId }: EventAction): string => originalActionId ?? id;
