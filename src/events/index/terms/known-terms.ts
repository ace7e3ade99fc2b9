import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/pools/database.js';
import { readTerms, type Terms } from './terms.js';

/** Read once for each server. */
@Injectable()
export class KnownTerms {
  private read: Promise<Terms> | undefined;

  constructor(private readonly database: Database) {
    database.primary.onNewServer(() => {
      this.read = undefined;
    });
  }

  current(): Promise<Terms> {
    if (this.read === undefined) {
      const read = readTerms(this.database);
      this.read = read;
      read.catch(() => {
        if (this.read === read) this.read = undefined;
      });
    }
    return this.read;
  }
}
