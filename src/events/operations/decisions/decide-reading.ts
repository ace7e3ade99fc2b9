import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import { actorOf } from '../../../platform/audit/audit-entry.js';
import type { Permission } from '../../../kernel/domain/scopes/permission.js';
import type { EventDocument } from '../../../kernel/domain/event-action.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { randomUUID } from 'node:crypto';
import { excessOf } from '../../records/history-bounds.js';
import { eventNotFound } from '../../search/record-access.js';
import type { Decision, EventState } from '../../write/command.js';
import type { Rules } from './decide-action.js';
import { type EventView, eventViewFor } from './event-view.js';
import { newAction } from './new-action.js';

/** Beyond it, or in a full event, reads are only audited: readers must not grow an event endlessly. */
const MOST_READS = 1_000;

interface Reading {
  readonly permissions: readonly Permission[];
  /** `mayRead`: by `record.read`. */
  readonly shown: (document: EventDocument, mayRead: boolean) => EventDocument;
}

const READING: Reading = { permissions: ['record.read'], shown: (document) => document };

/** Reading appends READ (E-6). */
export const decideReading =
  ({ access }: Pick<Rules, 'access'>, caller: Caller, eventId: Uuid, { permissions, shown }: Reading = READING) =>
  ({ event, now }: EventState): Decision<EventView> => {
    if (event === undefined || !access.covers(caller, permissions, () => event.projected)) throw eventNotFound(eventId);
    const mayRead = access.covers(caller, ['record.read'], () => event.projected);
    const { type, trackingId, actions } = event.document;
    const reads = actions.filter((action) => action.type === 'READ').length;
    const place = caller.office ?? null;
    const read = newAction('READ', { caller, place, transactionId: randomUUID(), now });
    const added = reads < MOST_READS && excessOf(event.stored, [read]) === undefined ? [read] : [];
    const isNoted = caller.userType === 'system' || added.length === 0;
    return {
      answer: eventViewFor({ caller, mayRead: true }, shown(event.after(added).document, mayRead)),
      ...(added.length > 0 && { change: { kind: 'append', actions: added } }),
      ...(isNoted && {
        audit: {
          ...actorOf(caller),
          operation: 'event.get',
          requestData: { eventId },
          responseSummary: { eventType: type, trackingId },
        },
      }),
    };
  };
