import { setTimeout as sleep } from 'node:timers/promises';

import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Inject, Injectable, Logger } from '@nestjs/common';

import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.js';
import { ChangeFeed } from '../../../database/connection/change-feed.js';
import { SessionLock } from '../../../database/connection/session-lock.js';
import { ClaimLoop } from '../../../webhooks/delivery/engine/claim-loop.js';
import type { Attempted } from '../../../webhooks/delivery/outcome/outcome.js';
import { attempted } from '../../../webhooks/delivery/outcome/outcome.js';
import { retryWaitMs } from '../../../webhooks/delivery/outcome/retry-schedule.js';
import { EventWriter } from '../../writer/event-writer.js';
import type { Confirmed, DecidingAnswer } from './confirm-action.js';
import { confirmAction, NumberTaken } from './confirm-action.js';
import type { ClaimedConfirmation } from './confirmation-claims.js';
import { ConfirmationClaims } from './confirmation-claims.js';
import { ConfirmationMetrics } from './confirmation-metrics.js';
import type { ConfirmationNote } from './confirmation-notes.js';
import { ConfirmationNotes } from './confirmation-notes.js';
import { ConfirmationOutbox } from './confirmation-outbox.js';
import { ConfirmationWaits } from './confirmation-waits.js';
import type { CountryAnswer } from './country-answer.js';
import { countryAnswerOf, NO_ANSWER } from './country-answer.js';
import { CountryConfiguration } from './country-configuration.js';
import { Paces } from './paces.js';
import { PostedEvents } from './posted-events.js';

/** How long until it is tried again to record an outcome. */
const RETRY_MS = 250;
/** What is due later than this is found by looking for it. */
const SOON_MS = 1_000;

/**
 * Has requested actions confirmed by the country configuration for as long as the application runs (E-7, E-15). The
 * engine is that of webhooks, for another addressee: what is due is claimed under leases, tried, and recorded until it
 * is recorded.
 */
@Injectable()
export class Confirmations implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(Confirmations.name);
  private readonly loop: ClaimLoop;
  private readonly paces = new Paces();
  private readonly underWay = new Set<Promise<void>>();
  private stopped = false;
  private givenUp = false;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly country: CountryConfiguration,
    private readonly claims: ConfirmationClaims,
    private readonly events: PostedEvents,
    private readonly notes: ConfirmationNotes,
    private readonly writer: EventWriter,
    private readonly outbox: ConfirmationOutbox,
    private readonly waits: ConfirmationWaits,
    private readonly metrics: ConfirmationMetrics,
    private readonly lock: SessionLock,
    feed: ChangeFeed,
    @Inject(CONFIG) private readonly config: Pick<Config, 'WEBHOOK_RETRY_SECONDS'>,
  ) {
    const claimed = {
      what: 'confirmations',
      claim: () => this.claim(),
      free: (alone: boolean) => this.claims.freeOfTheDead(alone),
    };
    this.loop = new ClaimLoop(claimed, lock);
    feed.on('confirmation_due', () => {
      this.loop.wake();
      return Promise.resolve();
    });
  }

  /** `down` when nothing can be claimed: requested actions wait. Undefined without a country configuration. */
  get state(): 'up' | 'down' | undefined {
    if (!this.country.isConfigured) return undefined;
    return this.loop.isClaiming ? 'up' : 'down';
  }

  onApplicationBootstrap(): void {
    if (this.country.isConfigured) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop(0);
  }

  /** Posts nothing more; what is in progress has `graceMs` to end, and the next process finds the rest (P-8). */
  stop(graceMs: number): Promise<void> {
    this.stopping ??= this.end(graceMs);
    return this.stopping;
  }

  private async end(graceMs: number): Promise<void> {
    this.stopped = true;
    if (!this.country.isConfigured) return;
    await this.loop.stop();
    const timer = setTimeout(() => {
      this.givenUp = true;
      void this.country.close();
    }, graceMs);
    await Promise.all(this.underWay);
    clearTimeout(timer);
    await this.country.close();
    await this.loop.letGo();
  }

  /** Never waits for what is in progress: each that ends wakes the loop. */
  private async claim(): Promise<boolean> {
    const claimed = await this.claims.claim((kind) => this.paces.of(kind));
    for (const claim of claimed) {
      const working = this.confirm(claim)
        .catch((error: unknown) => {
          this.log.warn('a confirmation was left before its end; it is found again', error);
        })
        .finally(() => {
          this.underWay.delete(working);
          this.loop.wake();
        });
      this.underWay.add(working);
    }
    return false;
  }

  private async confirm(claim: ClaimedConfirmation): Promise<void> {
    const beganMs = performance.now();
    const isGood = (): boolean => !this.stopped && this.lock.isHeld;
    const event = await this.events.read(claim);
    const atMs = claim.nowMs + (performance.now() - beganMs);
    const note = { claim, atMs, attempt: undefined, waitMs: 0 };
    if (event === 'not pending') {
      await this.note({ ...note, verdict: 'over' });
      return;
    }
    const made = await this.paces.during(claim, () =>
      attempted<CountryAnswer>(() => this.country.post({ ...claim, body: event.body, isWanted: isGood }), {
        outcomeOf: (exchange) => countryAnswerOf(exchange, atMs),
        failed: NO_ANSWER,
        onFault: (fault) => {
          this.log.error('an attempt failed on our side; it is noted, and made again', fault);
        },
      }),
    );
    if (made === undefined) {
      await this.note({ ...note, verdict: 'withdrawn' });
      return;
    }
    await this.settle(claim, atMs, made);
  }

  private async settle(
    claim: ClaimedConfirmation,
    atMs: number,
    { outcome, note: attempt }: Attempted<CountryAnswer>,
  ): Promise<void> {
    const observed = { answer: outcome.kind, note: attempt, waitedMs: atMs - claim.dueMs };
    const note = { claim, atMs, attempt, waitMs: 0 };
    switch (outcome.kind) {
      case 'accepted':
      case 'rejected': {
        const confirmed = await this.write(claim, outcome);
        if (confirmed !== undefined) await this.note({ ...note, verdict: confirmed === 'over' ? 'over' : 'settled' });
        break;
      }
      case 'waiting':
        await this.note({ ...note, verdict: 'waiting' });
        break;
      case 'failed': {
        const waitMs = retryWaitMs({
          failures: claim.failures + 1,
          scheduleSeconds: this.config.WEBHOOK_RETRY_SECONDS,
          jitter: Math.random(),
          retryAfterMs: outcome.retryAfterMs,
        });
        const error = attempt.error ?? outcome.error ?? null;
        const verdict = waitMs === undefined ? 'dead' : 'retry';
        await this.note({ ...note, attempt: { ...attempt, error }, verdict, waitMs: waitMs ?? 0 });
        if (verdict === 'retry' && waitMs !== undefined && waitMs < SOON_MS) this.wakeAfter(waitMs);
        if (verdict === 'dead') this.log.warn(`action ${claim.actionId} stays requested: docs/confirmation.md`);
      }
    }
    this.metrics.observe(observed);
  }

  private wakeAfter(waitMs: number): void {
    setTimeout(() => {
      this.loop.wake();
    }, waitMs).unref();
  }

  /** Undefined if it was given up. */
  private async write(claim: ClaimedConfirmation, answer: DecidingAnswer): Promise<Confirmed | undefined> {
    const request = { ...claim, isRegistration: claim.actionType === 'REGISTER' };
    return this.untilDone(async () => {
      try {
        return await this.writer.submit(confirmAction(request, answer));
      } catch (error) {
        if (!(error instanceof NumberTaken)) throw error;
        return this.writer.submit(confirmAction(request, { kind: 'rejected', reason: error.message }));
      }
    });
  }

  /** Whoever waits here is told at once, all others by the announcement. */
  private async note(note: ConfirmationNote): Promise<void> {
    await this.untilDone(() => this.notes.write(note));
    if (note.verdict === 'withdrawn') return;
    if (note.verdict !== 'retry') this.waits.tell(note.claim.actionId);
    this.outbox.announceSettled();
  }

  /** Records what was said for as long as the process lives, so that nobody is asked again who has answered. */
  private async untilDone<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (let failing = false; ; failing = true) {
      try {
        return await work();
      } catch (error) {
        if (!failing) this.log.error('what came of a confirmation cannot be recorded; trying again', error);
        if (this.givenUp) return undefined;
        await sleep(RETRY_MS);
      }
    }
  }
}
