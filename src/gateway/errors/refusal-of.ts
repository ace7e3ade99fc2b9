import { DatabaseServerError } from '../../database/database-server-error.js';
import { isOtherDerivedVersion } from '../../database/derived-version.js';
import { isSqlError } from '../../errors/sql-state.js';
import type { Refusal } from '../../errors/refusal.js';
import { ServiceError } from '../../errors/service-error.js';
import { causes } from './causes.js';

/**
 * Which refusal an error is, if any: it says so itself, or the database is not the one that is needed, or a
 * statement took longer than its time.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof ServiceError) return error.refusal;
  const all = causes(error);
  if (all.some(isOtherDerivedVersion)) return 'other-version';
  if (all.some((cause) => cause instanceof DatabaseServerError)) return 'other-database';
  return all.some((cause) => isSqlError(cause, 'queryCanceled')) ? 'statement-time' : undefined;
}
