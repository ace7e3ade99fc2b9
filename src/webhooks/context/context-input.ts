import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Topic } from '../topic.js';

interface EnclosedFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** By `path` in the declaration of one event. */
export type FilesByPath = ReadonlyMap<string, EnclosedFile>;

export interface ContextInput {
  readonly topic: Topic;
  /** After the change. */
  readonly record: EventRecord;
  readonly actionId: Uuid;
  /** By `path`; other files are only referred to (W-13). */
  readonly files: FilesByPath;
  /** Null if unknown. */
  readonly areaOf: (office: Uuid) => Uuid | null;
  /** On the day of the event (L-2); null if unknown. */
  readonly nameOf: (place: Uuid) => string | null;
}
