import type { ActionType, EventAction } from '../../domain/record/event-action.js';
import type { EventRecord } from '../../domain/record/event-record.js';
import type { EventStatus } from '../../domain/record/event-status.js';

const STATUS_OF: Readonly<Partial<Record<ActionType, EventStatus>>> = {
  CREATE: 'CREATED',
  NOTIFY: 'NOTIFIED',
  DECLARE: 'DECLARED',
  REGISTER: 'REGISTERED',
  ARCHIVE: 'ARCHIVED',
};

/**
 * The status after the accepted ones among `actions`, on top of an imported record if there is one. UNARCHIVE restores
 * the status before ARCHIVE; if that is not known, the furthest one with a legal status.
 */
export function replayStatus(imported: EventRecord | undefined, actions: readonly EventAction[]): EventStatus {
  let status = imported?.status ?? 'CREATED';
  let beforeArchive = imported?.status === 'ARCHIVED' ? furthestLegal(imported) : status;
  for (const action of actions) {
    if (action.status !== 'Accepted') continue;
    status = action.type === 'UNARCHIVE' ? beforeArchive : (STATUS_OF[action.type] ?? status);
    if (status !== 'ARCHIVED') beforeArchive = status;
  }
  return status;
}

function furthestLegal({ legalStatuses, flags }: EventRecord): EventStatus {
  if (legalStatuses.REGISTERED !== null) return 'REGISTERED';
  if (legalStatuses.DECLARED !== null) return 'DECLARED';
  return flags.includes('incomplete') ? 'NOTIFIED' : 'CREATED';
}
