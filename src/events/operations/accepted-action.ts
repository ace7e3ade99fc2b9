import type { ActionType, EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import { Faults } from '../../kernel/errors/faults.js';
import { memberPath } from '../../kernel/errors/issue-path.js';
import { acceptanceOf } from '../write/acceptance.js';

/**
 * The document with its latest action of `type` accepted, which is the meaning of a trigger. If the document
 * still has it as Requested, an Accepted action follows it under an id derived from its own, so that a repeated trigger
 * has the same result; unless one of `known`, the stored actions, has accepted it. Throws 400 if there is no such
 * action, if it was rejected, or if it is a REGISTER without a registration number.
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
