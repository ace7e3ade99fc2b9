import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { interruptibleSleep } from '../../platform/jobs/periodic.js';
import { Upkeep } from '../../platform/jobs/upkeep.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { NoticeOutbox } from '../notices/notice-outbox.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { USER_VIEW, type UserView } from '../users/user-view.js';
import { type RecoveryFlow, RecoveryLinks } from './recovery-links.js';

/** A request of a link, by the address that was given. */
export interface RecoveryRequest {
  readonly by: { readonly email: string } | { readonly mobile: string };
  readonly flow: RecoveryFlow;
  readonly address: string;
}

interface Recorded {
  readonly email: string | null;
  readonly mobile: string | null;
  readonly flow: RecoveryFlow;
}

const EVERY_MS = 250;
/** The pause after a failure, such as that of a database that is away. */
const RETRY_MS = 2_000;
/** How many a process serves at a time. */
const AT_ONCE = 4;
const MOST_WAITING = 1_000;
/** How many of a network wait, so that it leaves room for others. */
const MOST_OF_A_NETWORK = 250;
const KEPT = sql`interval '1 day'`;
const WAITING = sql`from recovery_request where expires_at > clock_timestamp()`;

/**
 * Records requests of links before they are answered, and serves them afterwards: neither an answer nor its time tells
 * whether there is such a user (U-4). Any process serves a request in the transaction that deletes it, so that none is
 * lost while the database is away or a process ends.
 */
@Injectable()
export class RecoveryRequests extends Upkeep {
  constructor(
    private readonly database: Database,
    private readonly links: RecoveryLinks,
    private readonly notices: NoticeOutbox,
  ) {
    super(EVERY_MS, 'links that were asked for could not be sent; they are tried again');
  }

  /** Records a request. Throws 503 SERVICE_UNAVAILABLE where too many wait, or the database does not take it. */
  async add({ by, flow, address }: RecoveryRequest): Promise<void> {
    const { email = null, mobile = null }: { email?: string | null; mobile?: string | null } = by;
    const network = networkOf(address);
    const recorded = await this.database.query(sql`
      insert into recovery_request (request_id, email, mobile, flow, network, expires_at)
      select ${randomUUID()}::uuid, ${email}::text, ${mobile}::text, ${flow}::text, ${network}::text,
             clock_timestamp() + ${KEPT}
        from (select count(*) as waiting, count(*) filter (where network = ${network}) as of_network ${WAITING})
       where waiting < ${MOST_WAITING} and of_network < ${MOST_OF_A_NETWORK}
      returning 1`);
    if (recorded.length === 0) throw tooMany();
  }

  async run(signal?: AbortSignal): Promise<void> {
    try {
      const waiting = await this.database.query(sql`select ${WAITING} limit ${AT_ONCE}`);
      await Promise.all(
        waiting.map(async () => {
          while (signal?.aborted !== true && (await this.serveOne()));
        }),
      );
    } catch (error) {
      this.tell(error);
      if (signal !== undefined) await interruptibleSleep(RETRY_MS, signal);
    }
  }

  /** Whether there was one. */
  private async serveOne(): Promise<boolean> {
    const served = await this.database.transaction(async (transaction) => {
      // Any of them: one that fails holds nobody up.
      const [request] = await transaction.query<Recorded>(sql`
        delete from recovery_request where request_id = (
          select request_id ${WAITING} order by random() limit 1 for update skip locked)
        returning email, mobile, flow`);
      if (request !== undefined) await this.serve(transaction, request);
      return request;
    });
    if (served !== undefined) this.notices.announce();
    return served !== undefined;
  }

  private async serve(transaction: Queryable, { email, mobile, flow }: Recorded): Promise<void> {
    const is = email === null ? sql`mobile = ${mobile}` : sql`email_key(email) = email_key(${email})`;
    const user = await find(transaction, is);
    // Asked of nobody, too: both ways take as many statements, but for the few that send a link.
    const mayAsk = await this.links.mayAsk(transaction, user?.id ?? NOBODY, flow);
    if (user === undefined || !mayAsk) return;
    const locked = await find(transaction, sql`user_id = ${user.id} for no key update`);
    if (locked !== undefined) await this.links.send(transaction, locked, flow);
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
