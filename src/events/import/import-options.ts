import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Issue } from '../../kernel/errors/service-error.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { PreparedEvent } from '../records/event-change.js';
import type { WrittenEvent } from '../records/write-records.js';
import type { Outgoing } from '../write/acceptance.js';
import { type EventPublisher, type FilesByEvent, publishedChanges } from '../write/event-publisher.js';

/** A rejected line, and the reason. */
export interface RejectedLine {
  /** Counted from 1. */
  readonly line: number;
  /** The event's id, if the line has one. */
  readonly id?: string;
  readonly issues: readonly Issue[];
  /** The line as received; its beginning if it was too long to be read. */
  readonly text: string;
}

/** The results of an import, in numbers. */
export interface ImportResult {
  /** Lines whose event was new. */
  readonly imported: number;
  /** Lines whose event existed, from an earlier line or before, whether the line changed it or not. */
  readonly updated: number;
  readonly rejected: number;
  /** The first 100 of the rejected lines. */
  readonly faults: readonly Omit<RejectedLine, 'text'>[];
}

/** How far an import has come. */
export interface ImportProgress {
  /** Bytes of the source that have been processed. */
  readonly bytes: number;
  /** Lines that have been processed: imported, updated and rejected. */
  readonly records: number;
}

/** The options of an import, and its callbacks. */
export interface ImportOptions {
  /** Ends the import between two batches; what is committed stays, and the next run does the rest. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called before each transaction with the events that wait for it; resolves with how many of them, the first ones,
   * may be written together: at least one.
   */
  readonly prepare?: (events: readonly PreparedEvent[]) => Promise<number>;
  /**
   * Called in the transaction of each batch with the events that were created or changed: its writes are committed with
   * them, and if it fails they are not committed. After a deadlock the batch is written, and this is called, again.
   */
  readonly onWritten?: (transaction: Queryable, events: readonly WrittenEvent[]) => Promise<void>;
  /** Told of the requests that an import answers, in the transaction of each batch (E-15). */
  readonly outgoing?: Pick<Outgoing, 'settle'> | undefined;
  /** Called for every rejected line, in order; the import waits for it. */
  readonly onRejected?: (line: RejectedLine) => Promise<void> | void;
  /** How much is derived of the events of one batch, in characters, where others need this thread too. */
  readonly mostDerived?: number;
  /** Called after every committed batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** Reads the files of the first of some events, and tells of how many (W-13). */
interface FilesOfFirstEvents {
  ofFirst(
    events: readonly { readonly eventId: Uuid; readonly actions: readonly ActionType[] }[],
  ): Promise<{ readonly count: number; readonly files: FilesByEvent }>;
}

/**
 * Publishes what an import brings in the transactions that write it, with the files that notifications enclose
 * (W-13): they are read before, so that no lock waits for the store.
 */
export function publishing(
  publisher: Pick<EventPublisher, 'publish'>,
  enclosed: FilesOfFirstEvents,
): Required<Pick<ImportOptions, 'prepare' | 'onWritten'>> {
  let files: FilesByEvent = new Map();
  return {
    prepare: async (events) => {
      const first = await enclosed.ofFirst(events.map((event) => ({ eventId: event.id, actions: acceptedIn(event) })));
      ({ files } = first);
      return first.count;
    },
    onWritten: async (transaction, events) => {
      await publisher.publish(transaction, events.flatMap(publishedChanges), files);
    },
  };
}

const acceptedIn = ({ incoming }: PreparedEvent): readonly ActionType[] =>
  incoming.kind === 'record'
    ? []
    : [...new Set(incoming.document.actions.flatMap(({ type, status }) => (status === 'Accepted' ? [type] : [])))];
