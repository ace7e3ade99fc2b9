import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';

import { isOtherDerivedVersion } from '../../database/derived-version.js';
import { Periodic } from '../../database/periodic.js';
import { Database } from '../../database/pools/database.js';
import { settleAreaTerms } from './settle-area-terms.js';
import { syncAreaTerms } from './write-area-terms.js';

/** How often to check whether terms of areas are in doubt; whoever moves areas settles them if possible. */
const EVERY_MS = 10_000;

/** Settles the terms of areas that were moved and left unsettled. */
@Injectable()
export class AreaTermsKeeper implements OnApplicationShutdown {
  private readonly log = new Logger(AreaTermsKeeper.name);
  private readonly loop = new Periodic({
    everyMs: EVERY_MS,
    work: (signal) => this.work(signal),
    onError: (error) => {
      // Processes of the other version maintain them.
      if (isOtherDerivedVersion(error)) return;
      this.log.warn('terms of areas could not be settled; searches within them do without', error);
    },
  });
  private isSynced = false;

  constructor(private readonly database: Database) {
    database.primary.onNewServer(() => {
      this.isSynced = false;
    });
  }

  start(): void {
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async work(signal: AbortSignal): Promise<void> {
    // Places that existed before their terms did.
    if (!this.isSynced) await syncAreaTerms(this.database);
    this.isSynced = true;
    await settleAreaTerms(this.database, { signal });
  }
}
