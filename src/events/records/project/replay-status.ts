import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import type { EventAction } from '../../../kernel/domain/event-action.js';
import type { EventRecord } from '../../../kernel/domain/event-record.js';
import type { EventStatus } from '../../../kernel/domain/event-status.js';

/** UNARCHIVE restores the status before ARCHIVE or, if unknown, the furthest with a legal status. */
export function replayStatus(imported: EventRecord | undefined, actions: readonly EventAction[]): EventStatus {
  let status = imported?.status ?? 'CREATED';
  let beforeArchive = imported?.status === 'ARCHIVED' ? furthestLegal(imported) : status;
  for (const action of actions) {
    if (action.status !== 'Accepted') continue;
    const after = LIFE_CYCLE[action.type].status ?? status;
    status = after === 'restored' ? beforeArchive : after;
    if (status !== 'ARCHIVED') beforeArchive = status;
  }
  return status;
}

function furthestLegal({ legalStatuses, flags }: EventRecord): EventStatus {
  if (legalStatuses.REGISTERED !== null) return 'REGISTERED';
  if (legalStatuses.DECLARED !== null) return 'DECLARED';
  return flags.includes('incomplete') ? 'NOTIFIED' : 'CREATED';
}
