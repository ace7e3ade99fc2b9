import type { ActionType } from '../event-action.js';
import type { UserType } from '../event-record.js';
import type { ActionRule } from './action-rule.js';

const USERS: readonly UserType[] = ['user'];
const ANYONE: readonly UserType[] = ['user', 'system'];

/** The common case: a user's update, confirmed by the country configuration. */
const UPDATE = {
  isUpdate: true,
  clears: ['edit-in-progress'],
  declaration: 'merged',
  form: 'structural',
  isAllowedWhilePending: false,
  isGated: true,
  by: USERS,
  isConfirmed: true,
} as const satisfies Partial<ActionRule>;

/** No update, and not confirmed. */
const NOTE = { ...UPDATE, isUpdate: false, isConfirmed: false } as const satisfies Partial<ActionRule>;

/** Independent of the record's state: an edit in progress goes on. */
const META = { ...NOTE, clears: [], isGated: false, by: ANYONE } as const satisfies Partial<ActionRule>;

/**
 * The rules of action types (E-1, E-2, E-16). Projection, writing and documentation derive from it;
 * `available-actions.ts` says when each is allowed.
 */
export const LIFE_CYCLE: Readonly<Record<ActionType, ActionRule>> = {
  CREATE: {
    ...UPDATE,
    status: 'CREATED',
    clears: ['incomplete', 'edit-in-progress'],
    isGated: false,
    by: ANYONE,
    permissions: ['record.create'],
    isConfirmed: false,
  },
  READ: { ...META, isAllowedWhilePending: true, permissions: ['record.read'] },
  NOTIFY: {
    ...UPDATE,
    status: 'NOTIFIED',
    sets: ['incomplete'],
    clears: ['rejected', 'edit-in-progress'],
    legalStatus: 'NOTIFIED',
    isAllowedWhilePending: true,
    by: ANYONE,
    permissions: ['record.notify'],
  },
  DECLARE: {
    ...UPDATE,
    form: 'complete',
    status: 'DECLARED',
    clears: ['incomplete', 'rejected', 'edit-in-progress'],
    legalStatus: 'DECLARED',
    isAllowedWhilePending: true,
    permissions: ['record.declare', 'record.register'],
  },
  EDIT: {
    ...UPDATE,
    sets: ['edit-in-progress'],
    clears: ['rejected'],
    notWith: ['potential-duplicate'],
    permissions: ['record.edit'],
  },
  DELETE: { ...NOTE, isAllowedWhilePending: true, permissions: ['record.declare', 'record.notify'] },
  REGISTER: {
    ...UPDATE,
    form: 'complete',
    status: 'REGISTERED',
    clears: ['incomplete', 'rejected', 'edit-in-progress'],
    legalStatus: 'REGISTERED',
    notWith: ['potential-duplicate'],
    permissions: ['record.register'],
  },
  REJECT: {
    ...UPDATE,
    sets: ['rejected'],
    notWith: ['rejected'],
    permissions: ['record.reject'],
  },
  // `incomplete` is kept for UNARCHIVE.
  ARCHIVE: { ...UPDATE, status: 'ARCHIVED', permissions: ['record.archive'] },
  UNARCHIVE: { ...UPDATE, status: 'restored', permissions: ['record.unarchive'] },
  DUPLICATE_DETECTED: {
    ...NOTE,
    sets: ['potential-duplicate'],
    potentialDuplicates: 'listed',
    isGated: false,
    by: [],
    permissions: [],
  },
  MARK_AS_DUPLICATE: {
    ...NOTE,
    clears: ['potential-duplicate', 'edit-in-progress'],
    potentialDuplicates: 'emptied',
    onlyWith: 'potential-duplicate',
    permissions: ['record.review-duplicates'],
  },
  MARK_AS_NOT_DUPLICATE: {
    ...NOTE,
    clears: ['potential-duplicate', 'edit-in-progress'],
    potentialDuplicates: 'emptied',
    isGated: false,
    permissions: ['record.review-duplicates'],
  },
  PRINT_CERTIFICATE: {
    ...UPDATE,
    declaration: 'unchanged',
    notWith: ['correction-requested', 'inactive'],
    permissions: ['record.print-certified-copies'],
  },
  REQUEST_CORRECTION: {
    ...UPDATE,
    form: 'correction',
    sets: ['correction-requested'],
    declaration: 'unchanged',
    notWith: ['correction-requested', 'inactive'],
    by: ANYONE,
    permissions: ['record.request-correction', 'record.correct'],
  },
  APPROVE_CORRECTION: {
    ...UPDATE,
    form: 'correction',
    clears: ['correction-requested', 'edit-in-progress'],
    declaration: 'correction merged',
    onlyWith: 'correction-requested',
    by: ANYONE,
    permissions: ['record.correct'],
  },
  REJECT_CORRECTION: {
    ...UPDATE,
    clears: ['correction-requested', 'edit-in-progress'],
    declaration: 'unchanged',
    onlyWith: 'correction-requested',
    by: ANYONE,
    permissions: ['record.correct'],
  },
  REVOKE_REGISTRATION: {
    ...UPDATE,
    status: 'REVOKED',
    notWith: ['correction-requested'],
    permissions: ['record.revoke-registration'],
  },
  REINSTATE_REGISTRATION: { ...UPDATE, status: 'REGISTERED', permissions: ['record.reinstate-registration'] },
  DEACTIVATE_REGISTRATION: {
    ...UPDATE,
    sets: ['inactive'],
    notWith: ['inactive'],
    permissions: ['record.deactivate-registration'],
  },
  REACTIVATE_REGISTRATION: {
    ...UPDATE,
    clears: ['inactive', 'edit-in-progress'],
    onlyWith: 'inactive',
    permissions: ['record.reactivate-registration'],
  },
  ASSIGN: { ...META, assignment: 'assigned', by: USERS, permissions: [] },
  UNASSIGN: { ...META, assignment: 'unassigned', by: USERS, permissions: [] },
  CUSTOM: { ...UPDATE, permissions: ['record.custom-action'] },
};
