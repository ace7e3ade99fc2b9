import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';

import { Primary } from '../../platform/database/connection/primary.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Refresher } from '../../platform/jobs/periodic.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import { SubscriptionRegister } from './subscription-register.js';

/**
 * In the background at the start and after a failover, so that the first change does not wait for thousands of filters.
 * A change waits only for the rest of its topic.
 */
@Injectable()
export class RegisterReading implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(RegisterReading.name);
  private readonly reading = new Refresher(() => this.read());
  private isOver = false;

  constructor(
    private readonly register: SubscriptionRegister,
    private readonly database: Database,
    primary: Primary,
  ) {
    primary.onNewServer(() => void this.reading.refresh());
  }

  onApplicationBootstrap(): void {
    void this.reading.refresh();
  }

  /** Must not delay the shutdown. */
  onModuleDestroy(): void {
    this.isOver = true;
  }

  private async read(): Promise<void> {
    try {
      const topics = await this.database.query<{ readonly topic: Topic }>(
        sql`select topic from webhook_topic order by topic`,
      );
      // On its own connection: changes that wait for this reading may have taken all others.
      for (const { topic } of topics) {
        await this.database.transaction((transaction) => this.register.readAhead(this.untilOver(transaction), topic));
      }
    } catch (error) {
      if (!this.isOver) this.log.debug('subscriptions are read with the first change instead', error);
    }
  }

  private untilOver(transaction: Queryable): Queryable {
    return {
      query: (statement) =>
        this.isOver ? Promise.reject(new Error('the service stops')) : transaction.query(statement),
    };
  }
}
