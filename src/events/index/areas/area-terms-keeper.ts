import { Injectable } from '@nestjs/common';

import { isOtherDerivedVersion } from '../../../platform/database/connection/derived-version.js';
import { Database } from '../../../platform/database/pools/database.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { settleAreaTerms } from './settle-area-terms.js';
import { syncAreaTerms } from './write-area-terms.js';

const EVERY_MS = 10_000;

/** Settles unsettled area terms. */
@Injectable()
export class AreaTermsKeeper {
  private isSynced = false;

  constructor(
    private readonly database: Database,
    jobs: Jobs,
  ) {
    jobs.add({
      ...{ name: AreaTermsKeeper.name, everyMs: EVERY_MS },
      failure: 'terms of areas could not be settled; searches within them do without',
      // Processes of the other version maintain them.
      isExpected: isOtherDerivedVersion,
      work: (signal) => this.run(signal),
    });
    database.primary.onNewServer(() => {
      this.isSynced = false;
    });
  }

  private async run(signal: AbortSignal): Promise<void> {
    // Places may predate the table.
    if (!this.isSynced) await syncAreaTerms(this.database);
    this.isSynced = true;
    await settleAreaTerms(this.database, { signal });
  }
}
