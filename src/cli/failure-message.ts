import { isDriverFailure, SQLSTATES } from '../kernel/errors/sql-state.js';
import { causes, errorCode, messageOf, ServiceError } from '../kernel/errors/service-error.js';

/** The cause, and a remedy if known. */
export function failureMessage(error: unknown): string {
  if (error instanceof ServiceError) {
    return [error.message, ...error.issues.map((issue) => `  ${issue.message}`)].join('\n');
  }
  for (const cause of causes(error)) {
    const explain = isDriverFailure(cause) ? connectionLost : EXPLAINED.get(errorCode(cause) ?? '');
    if (explain !== undefined) return explain(cause);
  }
  return messageOf(error);
}

const SCHEMA_IS_BEHIND =
  'The schema of the database is older than this program: run `matricula migrate`, or set MIGRATE_ON_START=true. ' +
  'If that finds it up to date, a later release has removed what this one reads: run the later one.';

const LACKS_A_RIGHT =
  'the role of DATABASE_URL may not do that. Migrations need the owner of the database, in DATABASE_MIGRATION_URL where ' +
  'that is another; without it, commands need MIGRATE_ON_START=false. `reindex` needs the owner ' +
  'of the tables in DATABASE_URL. What the service needs, `matricula migrate` grants it.';

const connectionLost = (cause: object): string =>
  `The database could not be reached any more (${textOf(cause, 'message')}). What was committed stays: run the command ` +
  'again once it answers. A reindex and an import of records go on where they were.';

const READ_ONLY =
  'The database takes no writes: it has become a standby, or `default_transaction_read_only` is set for it or its role.';

/** By SQLSTATE, or Node's code for a system error. */
const EXPLAINED = new Map<string, (cause: object) => string>([
  [SQLSTATES.undefinedTable, () => SCHEMA_IS_BEHIND],
  [SQLSTATES.undefinedColumn, () => SCHEMA_IS_BEHIND],
  [SQLSTATES.undefinedFunction, () => SCHEMA_IS_BEHIND],
  [SQLSTATES.insufficientPrivilege, (cause) => `${textOf(cause, 'message')}: ${LACKS_A_RIGHT}`],
  [SQLSTATES.readOnlySqlTransaction, () => READ_ONLY],
  [SQLSTATES.adminShutdown, connectionLost],
  [SQLSTATES.crashShutdown, connectionLost],
  ['ECONNRESET', connectionLost],
  [
    'EADDRINUSE',
    (cause) => `${placeOf(cause)} is taken by another program: end that one, or change PORT or INTERNAL_PORT.`,
  ],
  ['EADDRNOTAVAIL', (cause) => `${placeOf(cause)} is no address of this machine: correct HOST or INTERNAL_HOST.`],
  ['EPIPE', () => 'Standard output was closed before everything was written.'],
  ['ENOENT', (cause) => fileFailure(cause, 'there is no such file')],
  ['EISDIR', (cause) => fileFailure(cause, 'it is a directory')],
  ['EACCES', (cause) => fileFailure(cause, 'permission is denied')],
]);

/** `127.0.0.1:7070`, of a listener that could not open. */
const placeOf = (cause: object): string => `${textOf(cause, 'address')}:${textOf(cause, 'port')}`;

const fileFailure = (cause: object, reason: string): string =>
  'path' in cause ? `${textOf(cause, 'path')}: ${reason}` : textOf(cause, 'message');

function textOf(cause: object, name: string): string {
  const value: unknown = Reflect.get(cause, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
