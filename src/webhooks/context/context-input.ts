import type { EventRecord } from '../../domain/record/event-record.js';
import type { Uuid } from '../../domain/uuid.js';
import type { Topic } from '../topic.js';

/** A file of our own store, small enough to travel inside a notification. */
interface EnclosedFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** What a context is made of. */
export interface ContextInput {
  readonly topic: Topic;
  /** The record as the change leaves it. */
  readonly record: EventRecord;
  /** The action that was published. */
  readonly actionId: Uuid;
  /** By their `path` in the declaration; a file that is not among them is named by its path (W-13). */
  readonly files: ReadonlyMap<string, EnclosedFile>;
  /** The administrative area of an office; null when it is not known. */
  readonly areaOf: (office: Uuid) => Uuid | null;
}
