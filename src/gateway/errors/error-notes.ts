import { Injectable, Logger } from '@nestjs/common';
import { Refusals } from '../../platform/queue/refusals.js';
import { DatabaseServerError } from '../../platform/database/connection/database-server.js';
import { isOtherDerivedVersion } from '../../platform/database/connection/derived-version.js';
import { type Refusal, ServiceError } from '../../kernel/errors/service-error.js';
import { isSqlError } from '../../kernel/errors/sql-state.js';
import { causes } from './causes.js';

/** Records refusals, and the service's own faults. */
@Injectable()
export class ErrorNotes {
  private readonly log = new Logger(ErrorNotes.name);

  constructor(private readonly refusals: Refusals) {}

  /** `client`: the token's `sub`, or the address. */
  note(error: unknown, status: number, client: string): void {
    const refusal = refusalOf(error);
    if (refusal !== undefined) this.refusals.note(refusal, client);
    if (status === 500) this.log.error('request failed', error);
    const isExplained = error instanceof ServiceError && refusal !== undefined;
    if (status === 503 && !isExplained) this.log.warn('request could not be served now', error);
  }
}

/** Set by the error itself, a wrong database, or a statement timeout. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof ServiceError) return error.refusal;
  const all = causes(error);
  if (all.some(isOtherDerivedVersion)) return 'other-version';
  if (all.some((cause) => cause instanceof DatabaseServerError)) return 'other-database';
  return all.some((cause) => isSqlError(cause, 'queryCanceled')) ? 'statement-time' : undefined;
}
