import { Injectable } from '@nestjs/common';

import { isOtherDerivedVersion } from '../../../platform/database/connection/derived-version.js';
import { Database } from '../../../platform/database/pools/database.js';
import { Upkeep } from '../../../platform/jobs/upkeep.js';
import { settleAreaTerms } from './settle-area-terms.js';
import { syncAreaTerms } from './write-area-terms.js';

const EVERY_MS = 10_000;

/** Settles unsettled area terms. */
@Injectable()
export class AreaTermsKeeper extends Upkeep {
  private isSynced = false;

  constructor(private readonly database: Database) {
    super(EVERY_MS, 'terms of areas could not be settled; searches within them do without');
    database.primary.onNewServer(() => {
      this.isSynced = false;
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    // Places may predate the table.
    if (!this.isSynced) await syncAreaTerms(this.database);
    this.isSynced = true;
    await settleAreaTerms(this.database, { signal });
  }

  protected override tell(error: unknown): void {
    // Processes of the other version maintain them.
    if (!isOtherDerivedVersion(error)) super.tell(error);
  }
}
