import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { SessionLock } from '../../platform/database/connection/session-lock.js';
import type { Exchange } from '../../platform/outbound/exchange.js';
import { type HeldLease, Paces } from '../../platform/outbox/leases.js';
import { OutboxEngine } from '../../platform/outbox/outbox-engine.js';
import { OutboxMetrics } from '../../platform/outbox/outbox-metrics.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Database } from '../../platform/database/pools/database.js';
import { sql } from '../../kernel/sql/sql.js';
import { type Attempted, attempted, FAILED, type Outcome, outcomeOf } from '../../platform/outbox/outcome.js';
import { type RetryQuestion, retryWaitMs } from '../../platform/outbox/retry-schedule.js';
import { SecretsBox } from '../secrets/secrets-box.js';
import { CountryConfiguration } from '../tokens/country-configuration.js';
import { fullName } from '../users/user-view.js';
import { type ClaimedNotice, NoticeClaims, type NoticeKind, type NoticeNote, NoticeNotes } from './notice-claims.js';
import { type NoticeBodies, type NoticeEvent, NoticeOutbox, purposeOfNotice } from './notice-outbox.js';

interface NoticeQuestion extends RetryQuestion {
  /** Until it expires. */
  readonly leftMs: number;
}

/**
 * Milliseconds until the next attempt, on the schedule of webhooks (W-7), but never more than half of the time that is
 * left: a code that is good for ten minutes is not sent again after an hour. Undefined when the schedule is exhausted.
 */
export function noticeWaitMs({ leftMs, retryAfterMs = 0, ...question }: NoticeQuestion): number | undefined {
  const scheduledMs = retryWaitMs({ ...question, retryAfterMs: undefined });
  if (scheduledMs === undefined) return undefined;
  return Math.max(Math.min(scheduledMs, Math.round(Math.max(0, leftMs) / 2)), retryAfterMs);
}

const UPKEEP_EVERY_MS = 10_000;

/**
 * Sends notices to users through the country configuration for as long as the application runs (U-2), with the engine
 * of webhooks: what is due is claimed under leases, tried, and recorded until it is recorded, so that each is sent at
 * least once. Without a country configuration a development's log shows them, and production's does not.
 */
@Injectable()
export class NoticeSender implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(NoticeSender.name);
  private readonly paces = new Paces<NoticeKind>(({ event, isRetry }) => `${event} ${String(isRetry)}`);
  private readonly engine: OutboxEngine<NoticeKind, ClaimedNotice>;
  private readonly metrics: OutboxMetrics;
  private readonly sends: boolean;

  constructor(
    private readonly country: CountryConfiguration,
    private readonly notes: NoticeNotes,
    private readonly box: SecretsBox,
    private readonly outbox: NoticeOutbox,
    database: Database,
    metrics: Metrics,
    jobs: Jobs,
    claims: NoticeClaims,
    lock: SessionLock,
    feed: ChangeFeed,
    @Inject(CONFIG)
    private readonly config: Pick<
      Config,
      'WEBHOOK_RETENTION_DAYS' | 'WEBHOOK_RETRY_SECONDS' | 'production' | 'LOGIN_URL' | 'PUBLIC_URL'
    >,
  ) {
    this.sends = country.isConfigured || !config.production;
    const table = sql`user_notice`;
    this.metrics = new OutboxMetrics(metrics, database, {
      name: 'notice',
      table,
      backlog: 'matricula_notices_pending',
    });
    jobs.add({
      ...{ name: 'NoticeUpkeep', everyMs: UPKEEP_EVERY_MS, failure: 'expired notices could not be erased' },
      work: (signal) => this.maintain(signal),
    });
    const sending = {
      what: 'notices',
      one: 'notice',
      channel: 'user_notice_due' as const,
      claims,
      paceOf: (kind: NoticeKind) => this.paces.of(kind),
      work: (claim: ClaimedNotice, lease: HeldLease) => this.send(claim, lease),
      abort: () => void country.close(),
    };
    this.engine = new OutboxEngine(sending, lock, feed);
  }

  /** `down` when nothing can be claimed: what users are sent waits. Undefined without a country configuration. */
  get state(): 'up' | 'down' | undefined {
    if (!this.country.isConfigured) return undefined;
    return this.engine.isClaiming ? 'up' : 'down';
  }

  onApplicationBootstrap(): void {
    const { production, LOGIN_URL, PUBLIC_URL } = this.config;
    if (this.sends) this.engine.start();
    else this.log.warn('COUNTRY_CONFIG_URL is not set: users are sent neither codes nor links');
    if (this.sends && production && LOGIN_URL === undefined && PUBLIC_URL === undefined) {
      this.log.warn('neither LOGIN_URL nor PUBLIC_URL is set: the links that users are sent lead to localhost');
    }
  }

  onModuleDestroy(): Promise<void> {
    return this.stop(0);
  }

  /** Sends nothing more; what is in progress has `graceMs` to end, and the next process finds the rest (P-8). */
  stop(graceMs: number): Promise<void> {
    return this.sends ? this.engine.stop(graceMs) : Promise.resolve();
  }

  /** Erases notices that have expired unsent (U-9), and removes what was settled long ago. */
  async maintain(signal?: AbortSignal): Promise<void> {
    const expired = await this.notes.expire(signal);
    this.outbox.countUnsent('expired', expired);
    if (expired > 0) this.log.warn(`notices to users that expired before they could be sent: ${expired}`);
    await this.notes.remove(this.config.WEBHOOK_RETENTION_DAYS, signal);
  }

  private async send(claim: ClaimedNotice, lease: HeldLease): Promise<void> {
    const beganMs = performance.now();
    const nowMs = (): number => claim.nowMs + (performance.now() - beganMs);
    const made = await this.paces.during({ event: claim.event, isRetry: claim.failures > 0 }, () =>
      attempted<Outcome>(() => this.exchange(claim, () => lease.isWanted && nowMs() < claim.expiresMs), {
        outcomeOf: (exchange) => outcomeOf(exchange, nowMs()),
        failed: FAILED,
        onFault: (fault) => {
          this.log.error(`a ${claim.event} failed on our side; it is sent again`, fault);
        },
      }),
    );
    if (made === undefined) await this.note({ claim, verdict: 'withdrawn', waitMs: 0, failure: null });
    else await this.settle(claim, made, nowMs());
  }

  private async exchange(claim: ClaimedNotice, isWanted: () => boolean): Promise<Exchange> {
    const { event, correlationId } = claim;
    const body = this.box.open(claim.sealed, purposeOfNotice(claim.noticeId));
    if (!this.country.isConfigured) {
      this.log.log(noticeLine(event, body));
      return { kind: 'answered', status: 204, headers: {}, body: Buffer.alloc(0), whole: true, durationMs: 0 };
    }
    return this.country.post({ path: ['user', event], body: Buffer.from(body), correlationId, isWanted });
  }

  private async settle(claim: ClaimedNotice, { outcome, note }: Attempted<Outcome>, nowMs: number): Promise<void> {
    const isDelivered = outcome.kind === 'delivered';
    const waitedMs = claim.nowMs - claim.dueMs;
    this.metrics.observe({ event: claim.event, outcome: isDelivered ? 'delivered' : 'failed' }, note, waitedMs);
    if (isDelivered) {
      await this.note({ claim, verdict: 'delivered', waitMs: 0, failure: null });
      return;
    }
    const waitMs = noticeWaitMs({
      failures: claim.failures + 1,
      scheduleSeconds: this.config.WEBHOOK_RETRY_SECONDS,
      jitter: Math.random(),
      retryAfterMs: outcome.kind === 'failed' ? outcome.retryAfterMs : undefined,
      leftMs: claim.expiresMs - nowMs,
    });
    const failure = note.error ?? `answered ${String(note.status)}`;
    await this.note({ claim, verdict: waitMs === undefined ? 'dead' : 'retry', waitMs: waitMs ?? 0, failure });
    if (waitMs === undefined) {
      this.outbox.countUnsent('dead', 1);
      // It is erased: what the country configuration says of it, and not what it said.
      this.log.warn(`a ${claim.event} is given up: ${failure}`);
    } else this.engine.wakeAfter(waitMs);
  }

  private async note(note: NoticeNote): Promise<void> {
    await this.engine.untilRecorded(() => this.notes.write(note));
  }
}

/** A line for a development's log, in place of a country configuration that sends the notice. */
function noticeLine(event: NoticeEvent, text: string): string {
  const { recipient, ...said } = JSON.parse(text) as NoticeBodies[NoticeEvent];
  const { name, email, mobile } = recipient;
  const to = [fullName(name), email ?? mobile].filter((part) => part !== undefined).join(', ');
  // The link contains the token.
  const shown = Object.entries(said).filter(([key]) => key !== 'token' || !('link' in said));
  return `${event} to ${to}: ${shown.map(([key, value]) => `${key} ${value}`).join(', ')}`;
}
