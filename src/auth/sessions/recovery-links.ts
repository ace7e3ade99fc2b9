import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { type Notice, type NoticeEvent, NoticeOutbox, recipientOf, type SentLink } from '../notices/notice-outbox.js';
import { ClientSecretHash } from '../secrets/client-secret-hash.js';
import { STORED_USER, type StoredUser, type UserView } from '../users/user-view.js';

export type RecoveryFlow = 'password' | 'username';

export interface UsedLink {
  readonly flow: RecoveryFlow;
  readonly user: StoredUser;
}

/** 144 bits, 24 characters (U-4). */
const TOKEN_BYTES = 18;
/** Per user and flow, to protect mailboxes; a stranger's request cannot invalidate the user's links. */
const MOST_ASKED_FOR = 3;

const EVENTS = { password: 'password-reset-link', username: 'username-reminder-link' } as const;

/** Single-use links, stored as keyed hashes (U-4). The database's clock decides. */
@Injectable()
export class RecoveryLinks {
  constructor(
    private readonly hashes: ClientSecretHash,
    private readonly notices: NoticeOutbox,
    @Inject(CONFIG)
    private readonly config: Pick<Config, 'LOGIN_URL' | 'PUBLIC_URL' | 'PORT' | 'CONFIG_RECOVERY_LINK_EXPIRY_SECONDS'>,
  ) {}

  /** Whether `send` would send one. */
  async mayAsk(reader: Queryable, userId: Uuid, flow: RecoveryFlow): Promise<boolean> {
    const open = await reader.query(sql`
      select from recovery_link where user_id = ${userId} and flow = ${flow} and expires_at > clock_timestamp()`);
    return open.length < MOST_ASKED_FOR;
  }

  /** Requires a transaction that has locked the user. */
  async send(transaction: Queryable, user: UserView, flow: RecoveryFlow): Promise<void> {
    if (!(await this.mayAsk(transaction, user.id, flow))) return;
    const body = await this.newLink(transaction, user, flow);
    await this.enqueue(transaction, { event: EVENTS[flow], userId: user.id, body });
  }

  /** Within that transaction; invalidates all earlier links. */
  async sendFirst(transaction: Queryable, user: UserView): Promise<void> {
    const { id: userId, username, status } = user;
    await transaction.query(sql`delete from recovery_link where user_id = ${userId}`);
    const link = await this.newLink(transaction, user, 'password');
    if (status !== 'pending') await this.enqueue(transaction, { event: 'password-reset-link', userId, body: link });
    else await this.enqueue(transaction, { event: 'user-created', userId, body: { ...link, username } });
  }

  private enqueue<E extends NoticeEvent>(
    transaction: Queryable,
    notice: Omit<Notice<E>, 'goodSeconds'>,
  ): Promise<void> {
    const goodSeconds = this.config.CONFIG_RECOVERY_LINK_EXPIRY_SECONDS;
    return this.notices.enqueue(transaction, { ...notice, goodSeconds });
  }

  /** One of concurrent requests gets the user, locked. Undefined for unknown, used and expired tokens alike. */
  async use(transaction: Queryable, token: string): Promise<UsedLink | undefined> {
    const hash = await this.hashOf(token);
    const [used] = await transaction.query<StoredUser & { readonly flow: RecoveryFlow }>(sql`
      with owner as materialized (
        -- Before the link is: a deactivation does it in this order, too.
        select ${STORED_USER} from user_account
         where user_id = (select user_id from recovery_link where token_hash = ${hash}) for no key update
      )
      delete from recovery_link link using owner
       where link.token_hash = ${hash} and link.user_id = owner.id and owner.status <> 'deactivated'
         and link.expires_at > clock_timestamp()
      returning link.flow, owner.*`);
    if (used === undefined) return undefined;
    const { flow, ...user } = used;
    return { flow, user };
  }

  private async newLink(transaction: Queryable, user: UserView, flow: RecoveryFlow): Promise<SentLink> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await transaction.query(sql`
      insert into recovery_link (token_hash, user_id, flow, expires_at)
      values (${await this.hashOf(token)}, ${user.id}, ${flow},
              clock_timestamp() + make_interval(secs => ${this.config.CONFIG_RECOVERY_LINK_EXPIRY_SECONDS}))`);
    return { recipient: recipientOf(user), token, link: this.linkOf(token) };
  }

  private linkOf(token: string): string {
    const { LOGIN_URL, PUBLIC_URL, PORT } = this.config;
    const url = new URL(LOGIN_URL ?? PUBLIC_URL ?? `http://localhost:${PORT}`);
    url.searchParams.set('token', token);
    return url.href;
  }

  private async hashOf(token: string): Promise<Buffer> {
    return createHmac('sha256', await this.hashes.keyFor('recovery link'))
      .update(token)
      .digest();
  }
}
