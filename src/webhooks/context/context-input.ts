import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Topic } from '../topic.js';

/** A file in our own store, small enough to be sent inside a notification. */
interface EnclosedFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Files of one event by their `path` in its declaration. */
export type FilesByPath = ReadonlyMap<string, EnclosedFile>;

/** The input of a context. */
export interface ContextInput {
  readonly topic: Topic;
  /** The record after the change. */
  readonly record: EventRecord;
  /** The action that was published. */
  readonly actionId: Uuid;
  /** By their `path` in the declaration; other files are referred to by their path (W-13). */
  readonly files: FilesByPath;
  /** The administrative area of an office; null if unknown. */
  readonly areaOf: (office: Uuid) => Uuid | null;
  /** What a place was called on the day of the event (L-2); null if unknown. */
  readonly nameOf: (place: Uuid) => string | null;
}
