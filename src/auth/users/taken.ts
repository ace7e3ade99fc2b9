import { ServiceError } from '../../errors/service-error.js';

/** By the unique index that another user is in. */
const WHAT: ReadonlyMap<unknown, string> = new Map([
  ['user_account_username_key_key', 'user name'],
  ['user_account_email', 'e-mail address'],
  ['user_account_mobile', 'mobile number'],
]);

/** The 409 that says what another user has; undefined for another error of the database. */
export function takenBy(error: unknown): ServiceError | undefined {
  const what = error instanceof Error && 'constraint' in error ? WHAT.get(error.constraint) : undefined;
  return what === undefined ? undefined : new ServiceError('CONFLICT', `Another user has this ${what}`);
}
