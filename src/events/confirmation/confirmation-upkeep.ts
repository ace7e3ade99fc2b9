import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { inPortions } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { Upkeep } from '../../platform/jobs/upkeep.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

const EVERY_MS = 60_000;

/**
 * Removes confirmations that were settled more than `WEBHOOK_RETENTION_DAYS` ago. The events keep what became of them;
 * what has no outcome stays.
 */
@Injectable()
export class ConfirmationUpkeep extends Upkeep {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'WEBHOOK_RETENTION_DAYS'>,
  ) {
    super(EVERY_MS, 'old confirmations could not be removed');
  }

  async run(signal?: AbortSignal): Promise<void> {
    const removal = (most: number): Sql => sql`
      delete from confirmation where action_id in (
        select action_id from confirmation
         where status in ('accepted', 'rejected', 'over')
           and settled_at < now() - ${this.config.WEBHOOK_RETENTION_DAYS} * interval '1 day'
         limit ${most} for update skip locked)
      returning action_id`;
    await inPortions(this.database, removal, signal);
  }
}
