import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CountryConfiguration } from '../../auth/tokens/country-configuration.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { SessionLock } from '../../platform/database/connection/session-lock.js';
import { Database } from '../../platform/database/pools/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { type HeldLease, Paces } from '../../platform/outbox/leases.js';
import { OutboxEngine } from '../../platform/outbox/outbox-engine.js';
import { OutboxMetrics } from '../../platform/outbox/outbox-metrics.js';
import { type Attempted, attempted } from '../../platform/outbox/outcome.js';
import { retryWaitMs } from '../../platform/outbox/retry-schedule.js';
import { jsonInSlices, TimeSlice } from '../../platform/queue/time-slice.js';
import { actionLists, STORED_ACTIONS, WholeEvents } from '../records/stored-events.js';
import { EventWriter } from '../write/event-writer.js';
import { confirmAction, type DecidingAnswer, Unacceptable } from './confirm-action.js';
import {
  type ClaimedConfirmation,
  ConfirmationClaims,
  type ConfirmationKind,
  type ConfirmationNote,
  ConfirmationNotes,
  ConfirmationOutbox,
} from './confirmation-outbox.js';
import { ConfirmationWaits } from './confirmation-waits.js';
import type { ConfirmationStatus } from './confirmation-status.js';
import { type CountryAnswer, countryAnswerOf, NO_ANSWER, unusable } from './country-answer.js';

type StoredAction = Pick<EventAction, 'id' | 'status'> & { readonly originalActionId?: Uuid };

/** In whose turns it is read. */
const CLIENT = 'country configuration';

export type PostedEvent = { readonly body: Buffer } | 'not pending';

/** Reads what is posted to the country configuration: the whole event document, as it is when it is posted. */
@Injectable()
export class PostedEvents {
  constructor(
    private readonly database: Database,
    private readonly events: WholeEvents,
  ) {}

  /** The event with what has happened to it; `not pending` if it, or the request, is gone or answered. */
  read(asked: Pick<ClaimedConfirmation, 'eventId' | 'actionId'>): Promise<PostedEvent> {
    return this.events.reading([asked.eventId], { client: CLIENT }, () => this.posted(asked));
  }

  private async posted({ eventId, actionId }: Pick<ClaimedConfirmation, 'eventId' | 'actionId'>): Promise<PostedEvent> {
    const [row] = await this.database.query<{ readonly actions: string | null }>(sql`
      select id, type, tracking_id as "trackingId", created_at as "createdAt", updated_at as "updatedAt",
             ${STORED_ACTIONS} as actions
        from event where id = ${eventId}`);
    if (row === undefined) return 'not pending';
    const actions = postedActions(await parsedActions(row.actions), actionId);
    return actions === undefined ? 'not pending' : { body: await jsonInSlices({ ...row, actions }) };
  }
}

/** Others have their turns between two lists. */
async function parsedActions(stored: string | null): Promise<readonly StoredAction[]> {
  const actions: StoredAction[] = [];
  const slice = new TimeSlice();
  for (const list of actionLists(stored)) {
    for (const action of JSON.parse(list) as StoredAction[]) actions.push(action);
    if (slice.isOver) await slice.next();
  }
  return actions;
}

/**
 * The actions without the requests after this one that still wait: a country configuration looks for the one that is
 * not answered. Undefined if this one is answered, or is not there.
 */
export function postedActions<A extends StoredAction>(actions: readonly A[], actionId: Uuid): readonly A[] | undefined {
  const answered = new Set(actions.map(({ originalActionId }) => originalActionId));
  const at = actions.findIndex(({ id, status }) => id === actionId && status === 'Requested');
  if (at === -1 || answered.has(actionId)) return undefined;
  return actions.filter(({ id, status }, place) => place <= at || status !== 'Requested' || answered.has(id));
}

/** The action was answered before, or is gone. */
interface Over {
  readonly kind: 'over';
}

const UPKEEP_EVERY_MS = 60_000;

const VERDICTS = { accepted: 'settled', rejected: 'settled', waiting: 'waiting', over: 'over' } as const;

/**
 * Has requested actions confirmed by the country configuration for as long as the application runs (E-7, E-15). The
 * engine is that of webhooks, for another addressee: what is due is claimed under leases, tried, and recorded until it
 * is recorded.
 */
@Injectable()
export class Confirmations implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(Confirmations.name);
  private readonly paces = new Paces<ConfirmationKind>(
    ({ eventType, actionType, isRetry }) => `${eventType} ${actionType} ${String(isRetry)}`,
  );
  private readonly engine: OutboxEngine<ConfirmationKind, ClaimedConfirmation>;
  private readonly metrics: OutboxMetrics;

  constructor(
    private readonly country: CountryConfiguration,
    private readonly events: PostedEvents,
    private readonly notes: ConfirmationNotes,
    private readonly writer: EventWriter,
    private readonly outbox: ConfirmationOutbox,
    private readonly waits: ConfirmationWaits,
    database: Database,
    metrics: Metrics,
    jobs: Jobs,
    private readonly configuration: EventConfiguration,
    claims: ConfirmationClaims,
    lock: SessionLock,
    feed: ChangeFeed,
    @Inject(CONFIG) private readonly config: Pick<Config, 'WEBHOOK_RETENTION_DAYS' | 'WEBHOOK_RETRY_SECONDS'>,
  ) {
    this.metrics = new OutboxMetrics(metrics, database, {
      ...{ name: 'confirmation', table: sql`confirmation` },
      ...{ backlog: 'matricula_confirmations', statuses: ['waiting', 'dead'] },
    });
    jobs.add({
      ...{ name: 'ConfirmationUpkeep', everyMs: UPKEEP_EVERY_MS, failure: 'old confirmations could not be removed' },
      work: (signal) => notes.remove(config.WEBHOOK_RETENTION_DAYS, signal),
    });
    const confirmations = {
      what: 'confirmations',
      one: 'confirmation',
      channel: 'confirmation_due' as const,
      claims,
      paceOf: (kind: ConfirmationKind) => this.paces.of(kind),
      work: (claim: ClaimedConfirmation, lease: HeldLease) => this.confirm(claim, lease),
      abort: () => void country.close(),
    };
    this.engine = new OutboxEngine(confirmations, lock, feed);
  }

  /** `down` when nothing can be claimed: requested actions wait. Undefined without a country configuration. */
  get state(): 'up' | 'down' | undefined {
    if (!this.country.isConfigured) return undefined;
    return this.engine.isClaiming ? 'up' : 'down';
  }

  onApplicationBootstrap(): void {
    if (this.country.isConfigured) this.engine.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop(0);
  }

  /** Posts nothing more; what is in progress has `graceMs` to end, and the next process finds the rest (P-8). */
  stop(graceMs: number): Promise<void> {
    return this.country.isConfigured ? this.engine.stop(graceMs) : Promise.resolve();
  }

  private async confirm(claim: ClaimedConfirmation, lease: HeldLease): Promise<void> {
    const beganMs = performance.now();
    const event = await this.events.read(claim);
    const atMs = claim.nowMs + (performance.now() - beganMs);
    const note = { claim, atMs, attempt: undefined, waitMs: 0 };
    if (event === 'not pending') {
      await this.note({ ...note, verdict: 'over' });
      return;
    }
    const { eventId, eventType, actionType, correlationId } = claim;
    const isWanted = (): boolean => lease.isWanted;
    const path = ['events', eventType, 'actions', actionType];
    const made = await this.paces.during({ eventType, actionType, isRetry: claim.failures > 0 }, () =>
      attempted<CountryAnswer>(() => this.country.post({ path, body: event.body, correlationId, eventId, isWanted }), {
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
    { outcome, note }: Attempted<CountryAnswer>,
  ): Promise<void> {
    const answer =
      outcome.kind === 'accepted' || outcome.kind === 'rejected' ? await this.write(claim, outcome) : outcome;
    if (answer === undefined) return;
    this.metrics.observe({ outcome: answer.kind }, note, atMs - claim.dueMs);
    if (answer.kind === 'failed') {
      await this.fail(
        claim,
        { atMs, attempt: { ...note, error: note.error ?? answer.error ?? null } },
        answer.retryAfterMs,
      );
    } else {
      await this.note({ claim, atMs, attempt: note, verdict: VERDICTS[answer.kind], waitMs: 0 });
    }
  }

  private async fail(
    claim: ClaimedConfirmation,
    tried: Pick<ConfirmationNote, 'atMs' | 'attempt'>,
    retryAfterMs: number | undefined,
  ): Promise<void> {
    const waitMs = retryWaitMs({
      failures: claim.failures + 1,
      scheduleSeconds: this.config.WEBHOOK_RETRY_SECONDS,
      jitter: Math.random(),
      retryAfterMs,
    });
    const verdict = waitMs === undefined ? 'dead' : 'retry';
    const status = await this.note({ claim, ...tried, verdict, waitMs: waitMs ?? 0 });
    if (verdict === 'dead' && status !== 'pending')
      this.log.warn(`action ${claim.actionId} stays requested: docs/reference/country-configuration.md`);
    if (waitMs !== undefined) this.engine.wakeAfter(waitMs);
  }

  /**
   * Writes the outcome. An acceptance that comes too late, or whose number or term is taken, becomes a rejection. One
   * that the form refuses, or for which the event has no room, is a failure, as any unusable answer. Undefined if it
   * was given up.
   */
  private write(claim: ClaimedConfirmation, answer: DecidingAnswer): Promise<CountryAnswer | Over | undefined> {
    const submit = async (decided: DecidingAnswer): Promise<CountryAnswer | Over> => {
      const confirmed = await this.writer.submit(confirmAction(this.configuration, claim, decided));
      return confirmed === 'over' ? { kind: 'over' } : decided;
    };
    const submitOrReject = async (): Promise<CountryAnswer | Over> => {
      try {
        return await submit(answer);
      } catch (error) {
        if (!(error instanceof Unacceptable)) throw error;
        return submit({ kind: 'rejected', reason: error.message });
      }
    };
    return this.engine.untilRecorded(async () => {
      try {
        return await submitOrReject();
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'BAD_REQUEST') throw error;
        const [first] = error.issues;
        return unusable(first?.message ?? error.message);
      }
    });
  }

  /** Callers that wait in this process are notified at once, all others by the announcement. */
  private async note(note: ConfirmationNote): Promise<ConfirmationStatus | undefined> {
    const status = await this.engine.untilRecorded(() => this.notes.write(note));
    if (note.verdict === 'withdrawn') return status;
    // A replay that has begun meanwhile has no answer yet.
    if (note.verdict !== 'retry' && status !== 'pending') this.waits.tell(note.claim.actionId);
    this.outbox.announceSettled();
    return status;
  }
}
