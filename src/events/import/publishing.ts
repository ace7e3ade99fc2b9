import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { PreparedEvent } from '../records/event-change.js';
import { type EventPublisher, type FilesByEvent, publishedChanges } from '../write/event-publisher.js';
import type { ImportOptions } from './import-options.js';

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
