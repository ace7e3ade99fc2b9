import type { Condition, Expression, InstantField, LocationField, TextField } from '../../domain/search-request.js';
import type { Input } from '../../input/input.js';
import { unknownKey } from '../../input/unknown-key.js';
import { dataCondition } from './parse-data-condition.js';
import { instantCondition } from './parse-date-condition.js';
import { flagsCondition } from './parse-flags-condition.js';
import { locationCondition, withinOrNull } from './parse-location-condition.js';
import { anyOfTexts, exactText, exactUserType, plainText, statusCondition } from './parse-text-condition.js';

type ExpressionKey = TextField | InstantField | LocationField | 'flags' | 'data';

/** Interface, QueryExpression: each key, and what reads its condition. The keys themselves hold dots. */
const CONDITIONS: Readonly<Record<ExpressionKey, (input: Input) => Condition | null>> = {
  id: plainText('id'),
  eventType: plainText('eventType'),
  status: statusCondition,
  createdAt: instantCondition('createdAt'),
  updatedAt: instantCondition('updatedAt'),
  'legalStatuses.DECLARED.createdAtLocation': withinOrNull('legalStatuses.DECLARED.createdAtLocation'),
  'legalStatuses.DECLARED.createdByRole': anyOfTexts('legalStatuses.DECLARED.createdByRole'),
  'legalStatuses.REGISTERED.acceptedAt': instantCondition('legalStatuses.REGISTERED.acceptedAt'),
  'legalStatuses.REGISTERED.createdAtLocation': withinOrNull('legalStatuses.REGISTERED.createdAtLocation'),
  'legalStatuses.REGISTERED.createdByRole': anyOfTexts('legalStatuses.REGISTERED.createdByRole'),
  'legalStatuses.REGISTERED.registrationNumber': exactText('legalStatuses.REGISTERED.registrationNumber'),
  createdAtLocation: locationCondition('createdAtLocation'),
  updatedAtLocation: locationCondition('updatedAtLocation'),
  assignedTo: exactText('assignedTo'),
  updatedByUserRole: exactText('updatedByUserRole'),
  createdBy: exactText('createdBy'),
  updatedBy: exactText('updatedBy'),
  trackingId: exactText('trackingId'),
  createdByUserType: exactUserType,
  flags: flagsCondition,
  data: dataCondition,
};

const EXPRESSION_KEYS = Object.keys(CONDITIONS);

/** Whether a condition can have this key. */
export const isExpressionKey = (key: string): key is ExpressionKey => Object.hasOwn(CONDITIONS, key);

const BELONGS_IN_DATA = 'unknown key; a field of the declaration belongs in `data`';

/** Ids of declaration fields have dots; so have the keys of legal statuses, which may be misspelt. */
const isLikeFieldId = (key: string): boolean => key.includes('.') && !/^legal/i.test(key);

/** An object of conditions, all of which must hold (S-6). It names at least one (S-3). */
export function parseExpression(input: Input): Expression | null {
  const { keys } = input;
  if (keys.length === 0) {
    return input.refuse('must name at least one condition, such as `eventType`, or hold `clauses`');
  }
  input.refuseKeysBut(EXPRESSION_KEYS, (key) => {
    if (key === 'type') return 'is a key of a nested query, which also has `clauses`';
    return isLikeFieldId(key) ? BELONGS_IN_DATA : unknownKey(key, [...EXPRESSION_KEYS, 'clauses']);
  });
  const conditions = keys
    .filter(isExpressionKey)
    .map((key) => CONDITIONS[key](input.member(key)))
    .filter((condition) => condition !== null);
  return { kind: 'expression', conditions };
}
