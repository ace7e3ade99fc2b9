import { quoted } from '../../src/kernel/errors/faults.js';
import type { DocumentTable } from '../../src/kernel/domain/record-columns.js';
import { ACTION_TYPES, type ActionType } from '../../src/kernel/domain/event-action.js';
import type { ActionRule } from '../../src/kernel/domain/life-cycle/action-rule.js';
import { LISTED_ACTIONS } from '../../src/kernel/domain/life-cycle/available-actions.js';
import { LIFE_CYCLE } from '../../src/kernel/domain/life-cycle/life-cycle.js';

const yes = (is: boolean): string => (is ? 'yes' : '');

export const stateTable = (): DocumentTable => ({
  heads: ['state', 'may be requested'],
  rows: LISTED_ACTIONS.map(({ state, actions }) => [`\`${state}\``, quoted(actions)]),
});

export const conditionTable = (): DocumentTable => ({
  heads: ['action', 'only with the flag', 'not with the flag', 'while a request waits'],
  rows: rowsOf(
    ({ isGated }) => isGated,
    ({ onlyWith, notWith, isAllowedWhilePending }) => [
      onlyWith === undefined ? '' : quoted([onlyWith]),
      quoted(notWith ?? []),
      yes(isAllowedWhilePending),
    ],
  ),
});

const DECLARATION = {
  merged: 'merged',
  unchanged: '',
  'correction merged': 'that of the request, then its own',
} as const satisfies Record<ActionRule['declaration'], string>;

export const effectTable = (): DocumentTable => ({
  heads: ['action', 'status', 'sets', 'clears', 'declaration', 'form', 'legal status', 'update'],
  rows: rowsOf(
    () => true,
    ({ status, sets, clears, declaration, form, legalStatus, isUpdate }) => [
      status === undefined ? '' : status === 'restored' ? 'as before ARCHIVE' : quoted([status]),
      quoted(sets ?? []),
      quoted(clears ?? []),
      DECLARATION[declaration],
      form,
      legalStatus === undefined ? '' : quoted([legalStatus]),
      yes(isUpdate),
    ],
  ),
});

export const authorTable = (): DocumentTable => ({
  heads: ['action', 'by', 'permission', 'confirmed by the country configuration'],
  rows: rowsOf(
    ({ by }) => by.length > 0,
    ({ by, permissions, isConfirmed }) => [
      by.map((userType) => (userType === 'user' ? 'users' : 'system clients')).join(', '),
      permissions.length === 0
        ? 'any for the record'
        : permissions.map((permission) => quoted([permission])).join(' or '),
      yes(isConfirmed),
    ],
  ),
});

const rowsOf = (
  isShown: (rule: ActionRule) => boolean,
  cells: (rule: ActionRule) => readonly string[],
): DocumentTable['rows'] =>
  ACTION_TYPES.filter((type: ActionType) => isShown(LIFE_CYCLE[type])).map((type) => [
    quoted([type]),
    ...cells(LIFE_CYCLE[type]),
  ]);
