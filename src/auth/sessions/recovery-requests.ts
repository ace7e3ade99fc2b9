import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { FairQueue } from '../../platform/queue/fair-queue.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { NoticeOutbox } from '../notices/notice-outbox.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { USER_VIEW, type UserView } from '../users/user-view.js';
import { type RecoveryFlow, RecoveryLinks } from './recovery-links.js';

export interface RecoveryRequest {
  readonly by: { readonly email: string } | { readonly mobile: string };
  readonly flow: RecoveryFlow;
  readonly address: string;
}

const AT_ONCE = 8;
const MOST_UNDER_WAY = 1_000;
/** Random pause, so that the timing of later answers reveals nothing. */
const MOST_PAUSE_MS = 250;
/** While the database is away. */
const MOST_TRIES = 5;
const RETRY_MS = 2_000;
const LAST_MS = 10_000;

/**
 * Link requests are answered before they are processed, so that neither answer nor timing reveals users (U-4).
 * Addresses take turns in a memory queue; requests beyond it are refused first.
 */
@Injectable()
export class RecoveryRequests implements OnModuleDestroy {
  private readonly log = new Logger(RecoveryRequests.name);
  private readonly turns = new FairQueue({ atOnce: AT_ONCE, mostWaiting: MOST_UNDER_WAY });
  private readonly ending = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly links: RecoveryLinks,
    private readonly notices: NoticeOutbox,
  ) {
    setMaxListeners(MOST_UNDER_WAY, this.ending.signal);
  }

  /** Never waits. Throws 503 SERVICE_UNAVAILABLE when the queue is full. */
  add(request: RecoveryRequest): void {
    if (this.underWay.size >= MOST_UNDER_WAY) throw tooMany();
    const working = this.serveAtLast(request)
      .catch((error: unknown) => {
        this.log.warn('a link that was asked for could not be sent', error);
      })
      .finally(() => {
        this.underWay.delete(working);
      });
    this.underWay.add(working);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.race([Promise.all(this.underWay), sleep(LAST_MS, undefined, { ref: false })]);
    this.ending.abort();
  }

  private async serveAtLast(request: RecoveryRequest): Promise<void> {
    const { signal } = this.ending;
    await sleep(randomInt(MOST_PAUSE_MS));
    for (let tries = 1; ; tries += 1) {
      try {
        await this.turns.run(networkOf(request.address), signal, () => this.serve(request));
        return;
      } catch (error) {
        if (tries === MOST_TRIES || signal.aborted) throw error;
        await sleep(RETRY_MS, undefined, { signal });
      }
    }
  }

  private async serve({ by, flow }: RecoveryRequest): Promise<void> {
    const is = 'email' in by ? sql`email_key(email) = email_key(${by.email})` : sql`mobile = ${by.mobile}`;
    const user = await find(this.database, is);
    // Also queried for nobody, so that both paths take as many statements.
    const mayAsk = await this.links.mayAsk(this.database, user?.id ?? NOBODY, flow);
    if (user === undefined || !mayAsk) return;
    await this.database.transaction(async (transaction) => {
      const locked = await find(transaction, sql`user_id = ${user.id} for no key update`);
      if (locked !== undefined) await this.links.send(transaction, locked, flow);
    });
    this.notices.announce();
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many links are being asked for; try again later', {
    headers: { 'retry-after': '1' },
    refusal: 'recoveries-waiting',
  });

const NOBODY = '00000000-0000-0000-0000-000000000000' as UserView['id'];

async function find(reader: Queryable, where: Sql): Promise<UserView | undefined> {
  const [user] = await reader.query<UserView>(
    sql`select ${USER_VIEW} from user_account where status <> 'deactivated' and ${where}`,
  );
  return user;
}
