import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Announcements } from '../../platform/database/pools/announcements.js';
import { Database } from '../../platform/database/pools/database.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { CORRELATION_ID, type CorrelationId } from '../access/request-target.js';
import { SecretsBox } from '../secrets/secrets-box.js';
import type { UserView } from '../users/user-view.js';

/** Whom a notice is for, as upstream's country configurations read it: absent members are left out. */
export interface Recipient {
  readonly name: { readonly firstname: string; readonly surname: string };
  readonly email?: string;
  readonly mobile?: string;
}

/** A single-use link, and the token in it for a country configuration that writes its own. */
export interface SentLink {
  readonly recipient: Recipient;
  readonly token: string;
  readonly link: string;
}

/** Bodies for `/trigger/user/{event}` of the country configuration (U-2). No notice contains a password. */
export interface NoticeBodies {
  readonly '2fa': { readonly recipient: Recipient; readonly code: string };
  readonly 'password-reset-link': SentLink;
  readonly 'username-reminder-link': SentLink;
  readonly 'username-reminder': { readonly recipient: Recipient; readonly username: string };
  /** The link with which a new user sets the first password. */
  readonly 'user-created': SentLink & { readonly username: string };
}

export type NoticeEvent = keyof NoticeBodies;

export const NOTICE_EVENTS: readonly NoticeEvent[] = [
  '2fa',
  'password-reset-link',
  'username-reminder-link',
  'username-reminder',
  'user-created',
];

export interface Notice<E extends NoticeEvent = NoticeEvent> {
  readonly event: E;
  readonly userId: Uuid;
  readonly body: NoticeBodies[E];
  /** How long what it says is of use, by the database's clock: it is not sent after that, and erased. */
  readonly goodSeconds: number;
}

export const recipientOf = ({ name, email, mobile }: Pick<UserView, 'name' | 'email' | 'mobile'>): Recipient => ({
  name,
  ...(email !== null && { email }),
  ...(mobile !== null && { mobile }),
});

/** For the `SecretsBox`: the purpose of the sealed body of a notice. */
export const purposeOfNotice = (noticeId: string): string => `user notice ${noticeId}`;

/** Notices of one event that wait for one user: nobody fills the table by asking again and again. */
const MOST_OF_A_USER = 3;

/** The outbox of what is sent to users through the country configuration (U-2). */
@Injectable()
export class NoticeOutbox implements OnModuleDestroy {
  private readonly due: Announcements;

  constructor(
    database: Database,
    private readonly box: SecretsBox,
    @Optional() @Inject(CORRELATION_ID) private readonly correlationId: CorrelationId = () => undefined,
    private readonly metrics: Metrics = new Metrics(),
  ) {
    // Counted from 0, so that the first one is an increase.
    for (const reason of ['dead', 'expired', 'replaced'] as const) this.countUnsent(reason, 0);
    this.due = new Announcements(database, 'user_notice_due');
  }

  /**
   * Writes a notice in the transaction of what it tells of, sealed (U-9). It takes the place of the oldest ones of the
   * same event that still wait for this user, if there are `MOST_OF_A_USER`: nobody will be sent those. Call
   * `announce()` after the commit.
   */
  async enqueue<E extends NoticeEvent>(
    transaction: Queryable,
    { event, userId, body, goodSeconds }: Notice<E>,
  ): Promise<void> {
    const id = randomUUID();
    const sealed = this.box.seal(JSON.stringify(body), purposeOfNotice(id));
    const [counted] = await transaction.query<{ readonly replaced: number }>(sql`
      with replaced as (
        update user_notice
           set status = 'expired', body_sealed = null, next_attempt_at = null, settled_at = now(),
               claim_token = null, claimed_until = null
         where notice_id in (
                 select notice_id from user_notice
                  where user_id = ${userId} and event = ${event} and status = 'pending'
                  order by position desc offset ${MOST_OF_A_USER - 1} for update skip locked)
        returning 1
      ), added as (
      insert into user_notice (notice_id, event, user_id, correlation_id, body_sealed, expires_at, status,
                               next_attempt_at)
      values (${id}, ${event}, ${userId}, ${this.correlationId() ?? randomUUID()}, ${sealed},
              now() + make_interval(secs => ${goodSeconds}::float8), 'pending', now())
      )
      select count(*)::int as replaced from replaced`);
    this.countUnsent('replaced', counted?.replaced ?? 0);
  }

  /** This process has given up so many, or replaced them by later ones. */
  countUnsent(reason: 'dead' | 'expired' | 'replaced', count: number): void {
    this.metrics.counter('matricula_notices_unsent_total').inc({ reason }, count);
  }

  /** Has what was enqueued sent now; without it, it is found within a second. */
  announce(): void {
    this.due.announce();
  }

  async onModuleDestroy(): Promise<void> {
    await this.due.end();
  }
}
