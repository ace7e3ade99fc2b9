import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { FairQueue } from '../../platform/queue/fair-queue.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { SessionLock } from '../../platform/database/connection/session-lock.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Refresher } from '../../platform/jobs/periodic.js';
import { KIB, MIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { OutboundClient } from '../../platform/outbound/outbound-client.js';
import { type HeldLease, PACES } from '../../platform/outbox/leases.js';
import { OutboxEngine } from '../../platform/outbox/outbox-engine.js';
import { OutboxMetrics } from '../../platform/outbox/outbox-metrics.js';
import { counted, Metrics } from '../../platform/metrics/metrics.js';
import { UnreadableShaSecrets } from '../../auth/clients/sha-secrets.js';
import { sql } from '../../kernel/sql/sql.js';
import { type ClaimedSubscription, DeliveryClaims, type DeliveryKind } from './delivery-claims.js';
import { DeliverySession, type SessionTools, type Share } from './delivery-session.js';
import { DueAnnouncements } from './due-announcements.js';
import { DueDeliveries } from './due-deliveries.js';
import { Settlements } from './settlements.js';

/** How often claims are confirmed. */
const CONFIRM_MS = 1_000;
/** With more subscriptions than this, none is kept on which nothing is due. */
const MOST_KEPT = 200;
/** How long a session goes on where others may be waiting for its place. */
const TURN_MS = 2_000;
/** Exchanges in progress together with those that have not answered lately: hundreds must not begin five each. */
const MOST_UNPROVED = 100;
/** Deliveries read at a time: from quick subscribers more than the next few, so that none has to be waited for. */
const MOST_READ = 250;
/** Notifications in memory, over all subscriptions; one subscription may have its largest in any case. */
const MOST_BYTES = 64 * MIB;
const LEAST_BYTES_OF_ONE = 64 * KIB;
const MOST_BYTES_OF_ONE = 4 * MIB;
/** How many subscriptions are read at a time: others need the database's connections too. */
const MOST_READING = 5;

/** Wakes this process when a delivery is due, beside the database. */
export interface WakeUps {
  readonly state: 'up' | 'degraded';
}

/** Makes deliveries for as long as the application runs. */
@Injectable()
export class Deliveries implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(Deliveries.name);
  private readonly sessions = new Map<Uuid, DeliverySession>();
  private readonly engine: OutboxEngine<DeliveryKind, ClaimedSubscription>;
  private readonly reads = new FairQueue({ atOnce: MOST_READING, mostWaiting: Infinity });
  private readonly life = new AbortController();
  private readonly confirmations = new Refresher(() => this.confirmOnce());
  private readonly tools: SessionTools;
  private readonly inFlight: number;
  private wakeUps: WakeUps | undefined;
  private confirming: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly claims: DeliveryClaims,
    settlements: Settlements,
    client: OutboundClient,
    lock: SessionLock,
    feed: ChangeFeed,
    database: Database,
    due: DueDeliveries,
    announcements: DueAnnouncements,
    metrics: Metrics,
    unreadable: UnreadableShaSecrets,
    @Inject(CONFIG)
    config: Pick<Config, 'WEBHOOK_RETRY_SECONDS' | 'WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION'>,
  ) {
    this.inFlight = config.WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION;
    const clients = counted(() => countUnreadable(database, unreadable));
    metrics.read('matricula_webhook_unreadable_clients', clients);
    this.tools = {
      settlements,
      client,
      metrics: new OutboxMetrics(metrics, database, {
        ...{ name: 'webhook', table: sql`webhook_delivery` },
        ...{ backlog: 'matricula_webhook_deliveries', statuses: ['dead'] },
      }),
      scheduleSeconds: config.WEBHOOK_RETRY_SECONDS,
      onFault: (fault) => {
        this.log.error('an attempt failed on our side; it is noted, and made again', fault);
      },
      read: (claim, request) =>
        this.reads.run(claim.clientId, this.life.signal, () => {
          const { except, amount } = request();
          return due.read(claim, except, amount);
        }),
      shareOf: (isQuick, isProved) => this.shareOf(isQuick, isProved),
      mayKeep: () => this.sessions.size <= MOST_KEPT,
    };
    const outbox = {
      ...{ what: 'deliveries', one: 'delivery', channel: 'delivery_due' as const, claims },
      paceOf: ({ pace }: DeliveryKind) => pace,
      work: (claim: ClaimedSubscription, lease: HeldLease) => this.deliver(claim, lease),
      abort: () => {
        settlements.giveUp();
        void client.close();
      },
    };
    this.engine = new OutboxEngine(outbox, lock, feed);
    announcements.to({
      wakeHeld: (id) => this.sessions.get(id)?.wake() ?? false,
      wake: () => {
        this.wake();
      },
    });
    feed.on('delivery_due', () => {
      this.wakeSessions();
    });
    // Nothing more is begun for a deactivated client or an ended subscription (W-3, W-12); what waited for a client
    // continues as soon as it is active again.
    for (const channel of ['client_changed', 'subscription_ended'] as const) {
      feed.on(channel, async () => {
        await this.confirm();
        this.wake();
      });
    }
    lock.onHeld(() => {
      void this.confirm();
    });
    // It may not have what was committed last to the one before, and waits here to be sent.
    database.primary.onNewServer(() => {
      for (const session of this.sessions.values()) session.revoke();
    });
  }

  /** `down` when nothing can be claimed: deliveries wait. `degraded` when Redis wakes nobody: the database does. */
  get state(): 'up' | 'degraded' | 'down' {
    return this.engine.isClaiming ? (this.wakeUps?.state ?? 'up') : 'down';
  }

  onApplicationBootstrap(): void {
    this.engine.start();
    this.confirming = setInterval(() => void this.confirm(), CONFIRM_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.stop(0);
  }

  /** Something may be due. */
  wake(): void {
    this.wakeSessions();
    this.engine.wake();
  }

  /** The process is woken by these as well. */
  wokenBy(wakeUps: WakeUps): void {
    this.wakeUps = wakeUps;
  }

  /** Starts no more deliveries; those in progress have `graceMs` to end, and the next process finds the rest (P-8). */
  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    clearInterval(this.confirming);
    const stopped = this.engine.stop(graceMs);
    for (const session of this.sessions.values()) session.finish();
    await stopped;
  }

  private wakeSessions(): void {
    for (const session of this.sessions.values()) session.wake();
  }

  private async deliver(claim: ClaimedSubscription, lease: HeldLease): Promise<void> {
    const session = new DeliverySession(claim, lease, this.tools);
    this.sessions.set(claim.subscriptionId, session);
    this.claims.held.add(session);
    // It was being claimed when the process stopped.
    if (this.stopped) session.finish();
    try {
      await session.run();
    } finally {
      this.claims.held.delete(session);
      if (this.sessions.get(claim.subscriptionId) === session) this.sessions.delete(claim.subscriptionId);
      await this.engine.untilRecorded(() => this.claims.release(claim));
    }
  }

  /**
   * Checks which claims are valid. If a subscription was ended, or its client deactivated, before the call, nothing more
   * is begun for it when this resolves (W-3, W-12).
   */
  private confirm(): Promise<void> {
    return this.confirmations.refresh();
  }

  private async confirmOnce(): Promise<void> {
    const sessions = [...this.sessions.values()];
    if (sessions.length === 0) return;
    const atMs = performance.now();
    try {
      // A session with more reads in any case.
      const read = sessions.flatMap(({ busyIds }) => (busyIds.size > this.inFlight ? [] : [...busyIds]));
      const standing = await this.claims.confirm(
        sessions.map(({ claim, lease }) => ({ claim, isDueForRenewal: lease.isDueForRenewal })),
        read,
      );
      for (const session of sessions) {
        const found = standing.get(session.claim.token);
        if (found === undefined) session.revoke();
        else session.confirmed(atMs, found);
      }
    } catch (error) {
      // Deliveries whose claim is not known to be valid do not begin; the engine reports that the database is away.
      this.log.debug('claims could not be confirmed', error);
    }
    this.makeRoom();
  }

  /** Where as many as may be of one pace are claimed, others may be waiting. */
  private makeRoom(): void {
    const { ofPace } = this.claims.bounds;
    const sessions = [...this.sessions.values()].map((session) => ({ session, pace: session.pace }));
    for (const crowded of PACES) {
      const alike = sessions.filter(({ pace }) => pace === crowded);
      if (alike.length < ofPace[crowded]) continue;
      for (const { session } of alike) if (performance.now() - session.beganMs >= TURN_MS) session.finish();
    }
  }

  private shareOf(isQuick: boolean, isProved: boolean): Share {
    const sessions = Math.max(1, this.sessions.size);
    const underWay = isProved ? this.inFlight : Math.min(this.inFlight, Math.ceil(MOST_UNPROVED / sessions));
    const bytes = Math.min(MOST_BYTES_OF_ONE, Math.max(LEAST_BYTES_OF_ONE, MOST_BYTES / sessions));
    return { underWay, read: { most: isQuick ? MOST_READ : 2 * underWay, bytes: Math.floor(bytes) } };
  }
}

/** Subscribed clients for whom everything waits, since this process could not read their `sha_secret`. */
async function countUnreadable(database: Queryable, unreadable: UnreadableShaSecrets): Promise<number | undefined> {
  const [row] = await database.query<{ readonly count: number }>(sql`
    select count(*)::int as count from system_client c
     where c.status = 'active' and ${unreadable.includes(sql`c.client_id`, sql`c.sha_secret_sealed`)}
       and exists (select from webhook_subscription s where s.client_id = c.client_id and s.deleted_at is null
                      and s.status = 'active')`);
  return row?.count;
}
