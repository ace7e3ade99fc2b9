import { absurd } from '../../../kernel/errors/service-error.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import type { Declaration } from '../../../kernel/domain/declaration.js';
import type { EventAction } from '../../../kernel/domain/event-action.js';
import { excessOfResult, requireBoundedResult } from '../../records/forms/declaration-size.js';
import { applyChange, type ReplayedFields } from '../../records/project/replay-declaration.js';
import { acceptanceOf } from '../../write/acceptance.js';
import type { CurrentEvent } from '../../write/current-event.js';

/** After acceptance of the request and approval of the correction; undefined if none. */
export const excessOnceAccepted = (event: CurrentEvent, requested: EventAction): string | undefined =>
  excessOfResult(declarationOnceAccepted(event, requested), () => event.record.declaration);

/** Throws 400 to the requester, rather than to the later accepter. */
export function requireBoundedOnceAccepted(event: CurrentEvent, requested: EventAction): void {
  requireBoundedResult(declarationOnceAccepted(event, requested), () => event.record.declaration);
}

function declarationOnceAccepted(event: CurrentEvent, requested: EventAction): Declaration {
  const { declaration: effect, form } = LIFE_CYCLE[requested.type];
  switch (effect) {
    case 'unchanged':
      return form === 'correction' ? mergedInto(event, requested) : event.record.declaration;
    case 'merged':
      return mergedInto(event, requested);
    case 'correction merged':
      return event.after([requested, acceptanceOf(requested, null)]).projected.record.declaration;
    default:
      return absurd(effect);
  }
}

function mergedInto({ record }: CurrentEvent, { declaration }: EventAction): Declaration {
  const fields: ReplayedFields = { ...record.declaration };
  applyChange(fields, declaration);
  return fields;
}
