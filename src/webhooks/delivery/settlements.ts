import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { AttemptNote } from '../../platform/outbox/outcome.js';
import { SLOW_MS } from '../../platform/outbox/leases.js';
import { sql } from '../../kernel/sql/sql.js';
import { DeliveryUpkeep } from './delivery-upkeep.js';

/** The result of one attempt, and the resulting state of the delivery. */
export interface Settlement {
  readonly deliveryId: Uuid;
  readonly subscriptionId: Uuid;
  readonly token: string;
  /** Failed attempts before this one: if it has others by now, it was replayed meanwhile. */
  readonly failures: number;
  /** When the attempt began, by the database's clock. No two attempts of a delivery begin at the same time. */
  readonly atMs: number;
  readonly note: AttemptNote;
  /** `retry` in `waitMs`; `dead` when the schedule is exhausted; `gone` when the subscriber wants nothing more. */
  readonly verdict: 'delivered' | 'retry' | 'dead' | 'gone';
  /** 0 unless it is tried again. */
  readonly waitMs: number;
}

const MOST_AT_A_TIME = 500;
const RETRY_MS = 250;
/**
 * The minimum interval between statements: many attempts in one statement cost the database a third less than in many.
 */
const APART_MS = 20;

/**
 * Records the results of attempts, many at a time: the first at once, those that follow closely together. Recording is
 * not abandoned while the process lives: it retries while the database is away, so that a subscriber who acknowledged
 * is not notified a second time.
 */
@Injectable()
export class Settlements {
  private readonly log = new Logger(Settlements.name);
  private readonly waiting: { readonly settlement: Settlement; readonly noted: () => void }[] = [];
  private working: Promise<void> | undefined;
  private givenUp = false;
  /** When the latest statement began. */
  private beganMs = -APART_MS;
  private readonly disableAfterHours: number;

  constructor(
    private readonly database: Database,
    private readonly upkeep: DeliveryUpkeep,
    @Inject(CONFIG) { WEBHOOK_DISABLE_AFTER_HOURS }: Pick<Config, 'WEBHOOK_DISABLE_AFTER_HOURS'>,
  ) {
    this.disableAfterHours = WEBHOOK_DISABLE_AFTER_HOURS;
  }

  /** Resolves after the commit. */
  note(settlement: Settlement): Promise<void> {
    return new Promise((noted) => {
      this.waiting.push({ settlement, noted });
      this.working ??= this.work();
    });
  }

  /** From now on a failure is final: the process ends, and another one delivers again. */
  giveUp(): void {
    this.givenUp = true;
  }

  private async work(): Promise<void> {
    // Everything from the same turn is written together.
    await Promise.resolve();
    for (let failing = false; this.waiting.length > 0;) {
      const restMs = this.beganMs + APART_MS - performance.now();
      if (restMs > 0 && this.waiting.length < MOST_AT_A_TIME) await sleep(restMs);
      this.beganMs = performance.now();
      const batch = this.waiting.splice(0, MOST_AT_A_TIME);
      try {
        await this.write(
          batch.map(({ settlement }) => settlement),
          failing,
        );
        failing = false;
        for (const { noted } of batch) noted();
      } catch (error) {
        if (!failing) this.log.error('what came of deliveries cannot be noted; trying again', error);
        failing = true;
        if (this.givenUp) {
          for (const { noted } of batch) noted();
        } else {
          this.waiting.unshift(...batch);
          await sleep(RETRY_MS);
        }
      }
    }
    // In the same turn as the look at what waits: whatever comes after it begins anew.
    this.working = undefined;
  }

  /** `again`: some may be recorded already, by a statement whose answer was lost. */
  private async write(settlements: readonly Settlement[], again: boolean): Promise<void> {
    const changed = await this.database.query<{ readonly id: Uuid; readonly status: string }>(sql`
      with outcome as (
        select new.* from unnest(
          ${settlements.map(({ deliveryId }) => deliveryId)}::uuid[],
          ${settlements.map(({ subscriptionId }) => subscriptionId)}::uuid[],
          ${settlements.map(({ token }) => token)}::uuid[],
          ${settlements.map(({ failures }) => failures)}::int[],
          ${settlements.map(({ verdict }) => verdict)}::text[],
          ${settlements.map(({ waitMs }) => waitMs)}::float8[],
          ${settlements.map(({ atMs }) => new Date(atMs))}::timestamptz[],
          ${settlements.map(({ note }) => note.durationMs)}::int[],
          ${settlements.map(({ note }) => note.status)}::int[],
          ${settlements.map(({ note }) => note.error)}::text[],
          ${settlements.map(({ note }) => note.response)}::text[])
          as new (delivery_id, subscription_id, token, failures, verdict, wait_ms, at, duration_ms, status, error, response)
         where not ${again}::boolean
            or not exists (select from webhook_attempt a where a.delivery_id = new.delivery_id and a.at = new.at)
      ), attempt as (
        insert into webhook_attempt (delivery_id, at, duration_ms, status, error, response)
        select delivery_id, at, duration_ms, outcome.status, error, response
          from outcome join webhook_delivery d on d.id = delivery_id
      ), delivery as (
        update webhook_delivery d
           set status = case verdict when 'retry' then 'pending' when 'gone' then 'dropped' else verdict end,
               failures = case verdict when 'delivered' then d.failures else d.failures + 1 end,
               next_attempt_at = case verdict when 'retry' then now() + wait_ms * interval '1 millisecond' end
          from outcome
         where d.id = delivery_id
           -- That it was delivered is true whoever says so, of one that was given up meanwhile too; the rest only the holder
           -- of the claim can tell. Its schedule is that of the attempts before it: a replay has begun another one.
           and (verdict = 'delivered' or d.status = 'pending' and exists (
             select from webhook_subscription s
              where s.id = outcome.subscription_id and s.claim_token = token
                and (verdict = 'gone' or d.failures = outcome.failures)
                and (verdict <> 'gone' or s.renewed_at is null or s.renewed_at < at)))
      ), tally as (
        select subscription_id, bool_or(verdict = 'delivered') as works, array_agg(token) as tokens,
               max(at) filter (where verdict = 'gone') as gone_at, bool_and(duration_ms >= ${SLOW_MS}) as slow
          from outcome group by subscription_id
      )
      update webhook_subscription s
         set failing_since = case when works then null else coalesce(failing_since, now()) end,
             slow = tally.slow,
             status = case
               when s.claim_token is null or s.claim_token <> all (tokens) then s.status
               -- It may have been renewed since: then it is asked once more.
               when gone_at is not null and (renewed_at is null or renewed_at < gone_at) then 'ended'
               when s.status = 'active' and not works
                and failing_since <= now() - ${this.disableAfterHours} * interval '1 hour' then 'disabled'
               else s.status end
        from tally
       where s.id = tally.subscription_id
         and (gone_at is not null or not works or failing_since is not null or s.slow is distinct from tally.slow)
      returning s.id, s.status`);
    const over = changed.filter(({ status }) => status !== 'active');
    for (const { id, status } of over) this.log.warn(`subscription ${id} is ${status}`);
    if (over.length > 0) this.upkeep.wake();
  }
}
