import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { OnModuleDestroy } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';

import { FairQueue, QueueFull } from '../../access/fair-queue.js';
import { Refusals } from '../../access/refusals.js';
import { Database } from '../../database/pools/database.js';
import type { Queryable } from '../../database/queryable.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import { NoticeOutbox } from '../notices/notice-outbox.js';
import { networkOf } from '../../access/network-of.js';
import type { UserView } from '../users/user-view.js';
import { USER_VIEW } from '../users/user-view.js';
import { Deadlines, TimeIsUp } from './deadlines.js';
import type { RecoveryFlow } from './recovery-links.js';
import { RecoveryLinks } from './recovery-links.js';

/** Who asks for a link, by what he has given. */
export interface RecoveryRequest {
  readonly by: { readonly email: string } | { readonly mobile: string };
  readonly flow: RecoveryFlow;
  readonly address: string;
}

const AT_ONCE = 8;
const MOST_WAITING = 1_000;
const WAIT_MS = 30_000;
/** How long each pauses first, at most: so that no later answer tells by its time what this one has to do. */
const MOST_PAUSE_MS = 250;

/**
 * Requests of links, which are answered before they are looked at, so that neither an answer nor its time tells whether
 * there is such a user (U-4). They take turns between addresses; those that find no room are dropped, which tells
 * nothing either. They wait in memory: whoever gets no link asks again.
 */
@Injectable()
export class RecoveryRequests implements OnModuleDestroy {
  private readonly log = new Logger(RecoveryRequests.name);
  private readonly turns = new FairQueue({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING });
  private readonly deadlines = new Deadlines();
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly links: RecoveryLinks,
    private readonly notices: NoticeOutbox,
    private readonly refusals: Refusals,
  ) {}

  /** Never throws, and never waits. */
  add(request: RecoveryRequest): void {
    const network = networkOf(request.address);
    const working = this.deadlines
      .within(WAIT_MS, (signal) => this.turns.run(network, signal, () => this.serve(request)))
      .catch((error: unknown) => {
        if (error instanceof QueueFull || error instanceof TimeIsUp) this.refusals.note('recoveries-waiting', network);
        else this.log.warn('a link that was asked for could not be sent', error);
      })
      .finally(() => {
        this.underWay.delete(working);
      });
    this.underWay.add(working);
  }

  async onModuleDestroy(): Promise<void> {
    this.deadlines.abortAll();
    await Promise.all(this.underWay);
  }

  private async serve({ by, flow }: RecoveryRequest): Promise<void> {
    await sleep(randomInt(MOST_PAUSE_MS));
    const is = 'email' in by ? sql`email_key(email) = email_key(${by.email})` : sql`mobile = ${by.mobile}`;
    const user = await find(this.database, is);
    // Asked of nobody, too: both ways take as many statements, but for the few that send a link.
    const mayAsk = await this.links.mayAsk(this.database, user?.id ?? NOBODY, flow);
    if (user === undefined || !mayAsk) return;
    await this.database.transaction(async (transaction) => {
      const locked = await find(transaction, sql`user_id = ${user.id} for no key update`);
      if (locked !== undefined) await this.links.send(transaction, locked, flow);
    });
    this.notices.announce();
  }
}

const NOBODY = '00000000-0000-0000-0000-000000000000' as UserView['id'];

async function find(reader: Queryable, where: Sql): Promise<UserView | undefined> {
  const [user] = await reader.query<UserView>(
    sql`select ${USER_VIEW} from user_account where status <> 'deactivated' and ${where}`,
  );
  return user;
}
