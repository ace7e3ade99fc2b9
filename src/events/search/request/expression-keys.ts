import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';

export type ExpressionKey = keyof typeof SEARCHED_FIELDS | 'flags' | 'data';

/** In the interface's order (QueryExpression). */
const OF_THE_INTERFACE = [
  'id',
  'eventType',
  'status',
  'createdAt',
  'updatedAt',
  'legalStatuses.DECLARED.createdAtLocation',
  'legalStatuses.DECLARED.createdByRole',
  'legalStatuses.REGISTERED.acceptedAt',
  'legalStatuses.REGISTERED.createdAtLocation',
  'legalStatuses.REGISTERED.createdByRole',
  'legalStatuses.REGISTERED.registrationNumber',
  'createdAtLocation',
  'updatedAtLocation',
  'assignedTo',
  'updatedByUserRole',
  'createdBy',
  'updatedBy',
  'trackingId',
  'createdByUserType',
] as const satisfies readonly ExpressionKey[];

/** In the order of messages and of the OpenAPI document. */
export const EXPRESSION_KEYS = [
  ...new Set([...OF_THE_INTERFACE, ...Object.keys(SEARCHED_FIELDS), 'flags', 'data']),
] as readonly ExpressionKey[];
