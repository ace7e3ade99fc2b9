import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import type { Declaration } from '../../../kernel/domain/declaration.js';
import type { EventAction } from '../../../kernel/domain/event-action.js';
import { ActionHistory } from '../../records/project/action-history.js';
import { applyChange, type ReplayedFields, requestedCorrection } from '../../records/project/replay-declaration.js';
import type { CurrentEvent } from '../../write/current-event.js';

/** The record's declaration, for a correction approval with the requested changes. */
export function declarationBefore(
  { document, record }: Pick<CurrentEvent, 'document' | 'record'>,
  { type, requestId }: Pick<EventAction, 'type' | 'requestId'>,
): Declaration {
  if (LIFE_CYCLE[type].declaration !== 'correction merged') return record.declaration;
  const fields: ReplayedFields = { ...record.declaration };
  for (const change of requestedCorrection(requestId, ActionHistory.of(document.actions))) applyChange(fields, change);
  return fields;
}
