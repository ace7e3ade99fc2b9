import { Injectable } from '@nestjs/common';

import { ChangeFeed } from '../../../platform/database/connection/change-feed.js';
import { Followed } from '../../../platform/database/connection/followed.js';
import { Database } from '../../../platform/database/pools/database.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { LocationColumn } from '../location-columns.js';
import type { Term } from '../terms/term-kind.js';
import { areaTerm } from './area-terms.js';
import { EVERY_AREA_TERM } from './area-terms-of.js';

/** A stale entry only costs a second run: searches verify in their own snapshot. */
@Injectable()
export class KnownAreas extends Followed {
  private hashes: ReadonlySet<string> = new Set();

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    super(feed, 'places_changed');
  }

  /** Undefined if the area has no term. */
  term(column: LocationColumn, area: Uuid): Term | undefined {
    const term = areaTerm(column, area);
    return this.hashes.has(String(term.hash)) ? term : undefined;
  }

  protected async load(): Promise<void> {
    const rows = await this.database.query<{ readonly hash: string }>(
      sql`select unnest(${EVERY_AREA_TERM}) as hash from area_term except select hash from term_doubt`,
    );
    this.hashes = new Set(rows.map(({ hash }) => hash));
  }
}
