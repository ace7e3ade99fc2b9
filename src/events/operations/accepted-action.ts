import type { ActionType, EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import { Faults } from '../../kernel/errors/faults.js';
import { memberPath } from '../../kernel/errors/issue-path.js';
import { acceptanceOf } from '../write/acceptance.js';

/**
 * Accepts the latest action of `type`, as a trigger means. A Requested one gets an Accepted action with a derived
 * id, so that repetitions are equal, unless `known` has one. Throws 400 for a missing or rejected action, or a REGISTER
 * without number.
 */
export function withAcceptedAction(
  document: EventDocument,
  type: ActionType,
  known: readonly EventAction[],
): EventDocument {
  const faults = new Faults();
  const at = document.actions.findLastIndex((action) => action.type === type);
  const action = document.actions[at];
  if (action === undefined) faults.add('actions', `must hold an action of the type ${type}`);
  else checkAcceptable(action, memberPath('actions', at), faults);
  faults.throwIfAny();
  if (action?.status !== 'Requested' || isAccepted(action, [...document.actions, ...known])) return document;
  return { ...document, actions: [...document.actions, acceptanceOf(action, action.registrationNumber)] };
}

function checkAcceptable({ type, status, registrationNumber }: EventAction, path: string, faults: Faults): void {
  if (status === 'Rejected')
    faults.add(`${path}.status`, 'must be "Requested" or "Accepted": the action was triggered');
  if (type === 'REGISTER' && status === 'Requested' && registrationNumber === null) {
    faults.add(`${path}.registrationNumber`, 'is required of a REGISTER that is accepted');
  }
}

const isAccepted = ({ id }: EventAction, actions: readonly EventAction[]): boolean =>
  actions.some((action) => action.status === 'Accepted' && (action.id === id || action.originalActionId === id));
