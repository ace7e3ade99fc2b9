import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';

/** A key of a QueryExpression: a field of the record, its flags, its declaration. */
export type ExpressionKey = keyof typeof SEARCHED_FIELDS | 'flags' | 'data';

/** As the interface has them (QueryExpression). */
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

/**
 * All keys, in the order in which messages and the OpenAPI document list them: those of the interface, then any others.
 */
export const EXPRESSION_KEYS = [
  ...new Set([...OF_THE_INTERFACE, ...Object.keys(SEARCHED_FIELDS), 'flags', 'data']),
] as readonly ExpressionKey[];
