import { LIFE_CYCLE } from '../../src/kernel/domain/life-cycle/life-cycle.js';
import type { ActionType } from '../../src/kernel/domain/event-action.js';

/** Upstream's names of the actions that somebody may request (I-4), written apart from the program. */
export const NAMES_OF_ACTIONS: Readonly<Record<Exclude<ActionType, 'DUPLICATE_DETECTED'>, string>> = {
  CREATE: 'event.create',
  READ: 'event.get',
  DELETE: 'event.delete',
  NOTIFY: 'event.actions.notify',
  DECLARE: 'event.actions.declare',
  EDIT: 'event.actions.edit',
  REGISTER: 'event.actions.register',
  REJECT: 'event.actions.reject',
  ARCHIVE: 'event.actions.archive',
  UNARCHIVE: 'event.actions.unarchive',
  PRINT_CERTIFICATE: 'event.actions.printCertificate',
  CUSTOM: 'event.actions.custom',
  REQUEST_CORRECTION: 'event.actions.correction.request',
  APPROVE_CORRECTION: 'event.actions.correction.approve',
  REJECT_CORRECTION: 'event.actions.correction.reject',
  ASSIGN: 'event.actions.assignment.assign',
  UNASSIGN: 'event.actions.assignment.unassign',
  MARK_AS_DUPLICATE: 'event.actions.duplicate.markAsDuplicate',
  MARK_AS_NOT_DUPLICATE: 'event.actions.duplicate.markNotDuplicate',
  REVOKE_REGISTRATION: 'event.actions.revocation.revoke',
  REINSTATE_REGISTRATION: 'event.actions.revocation.reinstate',
  DEACTIVATE_REGISTRATION: 'event.actions.deactivateRegistration',
  REACTIVATE_REGISTRATION: 'event.actions.reactivateRegistration',
};

/** The procedures of an action: one, or its request and its confirmations. */
export const proceduresOf = (type: keyof typeof NAMES_OF_ACTIONS): readonly string[] =>
  LIFE_CYCLE[type].isConfirmed
    ? ['request', 'accept', 'reject'].map((verb) => `${NAMES_OF_ACTIONS[type]}.${verb}`)
    : [NAMES_OF_ACTIONS[type]];
