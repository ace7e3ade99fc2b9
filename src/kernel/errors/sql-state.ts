import { errorCode } from './service-error.js';

/** Driver and pool messages without a code, for a lost or unavailable connection. */
const MESSAGES =
  /^timeout exceeded when trying to connect$|^timeout expired$|^Connection terminated|^Client has encountered a connection error|^Query read timeout$|^Cannot use a pool after calling end on the pool$/;

/** Lost or late connections. Failures with a code come from a server or the system. */
export const isDriverFailure = (cause: unknown): boolean => cause instanceof Error && MESSAGES.test(cause.message);

/** PostgreSQL errors by their names in its manual (appendix A). */
export const SQLSTATES = {
  adminShutdown: '57P01',
  cannotConnectNow: '57P03',
  checkViolation: '23514',
  crashShutdown: '57P02',
  deadlockDetected: '40P01',
  diskFull: '53100',
  foreignKeyViolation: '23503',
  inFailedSqlTransaction: '25P02',
  insufficientPrivilege: '42501',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  readOnlySqlTransaction: '25006',
  serializationFailure: '40001',
  undefinedColumn: '42703',
  undefinedFunction: '42883',
  undefinedTable: '42P01',
  uniqueViolation: '23505',
} as const;

export const isSqlError = (error: unknown, ...names: readonly (keyof typeof SQLSTATES)[]): boolean => {
  const code = errorCode(error);
  return names.some((name) => SQLSTATES[name] === code);
};
