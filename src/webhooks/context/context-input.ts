import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { FilesByPath } from '../../events/write/event-publisher.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';

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
