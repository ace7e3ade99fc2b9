import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { type ServerState, ServerWatch } from '../../platform/database/connection/server-watch.js';
import { type DerivedState, derivedState } from '../../platform/database/connection/derived-version.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import { Database } from '../../platform/database/pools/database.js';
import type { ReplicaState } from '../../platform/database/pools/replica.js';
import { SearchDatabase } from '../../platform/database/pools/search-database.js';
import { withinDeadline } from '../../platform/database/connection/within-deadline.js';
import { isSqlError } from '../../kernel/errors/sql-state.js';
import { sql } from '../../kernel/sql/sql.js';
import { Confirmations } from '../../events/confirmation/confirmations.js';
import { NoticeSender } from '../../auth/notices/notice-sender.js';
import { Deliveries } from '../../webhooks/delivery/deliveries.js';
import { causes } from '../../kernel/errors/service-error.js';

/** Whether a part works. */
export type State = 'up' | 'down';

/** The state of each part that a process needs (G-10). */
export interface ReadinessReport {
  /**
   * Whether it can serve requests; `stopping` after SIGTERM (P-8). The queue does not count: no request waits for it,
   * and what is published meanwhile is delivered later.
   */
  readonly status: State | 'stopping';
  readonly checks: {
    /** Why it is not `up`, if that is known. */
    readonly database: ServerState;
    readonly migrations: State;
    /** Whether what searches read has the version that this process reads and writes. */
    readonly derived: State | DerivedState;
    /** `degraded` while Redis is away: deliveries are dispatched inside the processes that claim them. */
    readonly queue: State | 'degraded';
    /** Whether requested actions are posted to the country configuration, if there is one. It does not count either. */
    readonly confirmations?: State;
    readonly notices?: State;
    /**
     * `degraded` while other processes' changes are not heard: clients, keys and places are read from the database each
     * time (G-3).
     */
    readonly changes: 'up' | 'degraded';
    /** In the order of `DATABASE_REPLICA_URLS`, if there are any; the primary does what they cannot. */
    readonly replicas?: readonly ReplicaState[];
  };
}

const DEADLINE_MS = 2_000;

const OUTDATED =
  'The schema of the database is older than this program: this process is not ready until `matricula migrate` has run';

const WHY_NOT_DERIVED: Readonly<Record<Exclude<DerivedState, 'up'>, string>> = {
  'needs reindex':
    'What searches read was derived by an earlier release: this process is not ready until `matricula reindex` has derived it anew',
  superseded: 'What searches read was derived by a later release: this process has to give way to one of that',
};

/** Whether this process should get requests. */
@Injectable()
export class Readiness {
  private readonly log = new Logger(Readiness.name);
  private stopping = false;
  private running: Promise<ReadinessReport> | undefined;
  private wasOutdated = false;
  private derivedBefore: DerivedState | undefined;

  constructor(
    private readonly database: Database,
    @Inject(ControlDatabase) private readonly control: Connections,
    private readonly confirmations: Confirmations,
    private readonly notices: NoticeSender,
    private readonly searches: SearchDatabase,
    private readonly watch: ServerWatch,
    private readonly feed: ChangeFeed,
    /** A service may be without webhooks. */
    @Optional() private readonly deliveries?: Deliveries,
  ) {}

  /** From now on the process is not ready, whatever the state of its parts. */
  stop(): void {
    this.stopping = true;
  }

  /** Checks every part; concurrent callers share one answer. */
  report(): Promise<ReadinessReport> {
    this.running ??= this.ask().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async ask(): Promise<ReadinessReport> {
    const ran = await this.answered(this.migrationsThatRan());
    const isComplete = ran !== undefined && this.isComplete(ran);
    const checks: ReadinessReport['checks'] = {
      database: this.databaseState(ran !== undefined),
      migrations: stateOf(isComplete),
      derived: isComplete ? await this.derived() : 'down',
      // Without the database nothing is claimed, whether that has been noticed or not.
      queue: ran === undefined ? 'down' : (this.deliveries?.state ?? 'up'),
      ...(this.confirmations.state !== undefined && {
        confirmations: ran === undefined ? 'down' : this.confirmations.state,
      }),
      ...(this.notices.state !== undefined && { notices: ran === undefined ? 'down' : this.notices.state }),
      changes: this.feed.isFollowing ? 'up' : 'degraded',
      ...(this.searches.replicas.length > 0 && { replicas: this.searches.replicas.map(({ state }) => state) }),
    };
    const isReady = checks.database === 'up' && checks.migrations === 'up' && checks.derived === 'up';
    return { status: this.stopping ? 'stopping' : stateOf(isReady), checks };
  }

  /** The current finding overrides the last check, which may have failed on a busy machine. */
  private databaseState(answers: boolean): ServerState {
    const { state } = this.watch;
    if (answers) return state === 'down' ? 'up' : state;
    return state === 'up' ? 'down' : state;
  }

  /** Undefined if the database does not answer. */
  private async answered<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await withinDeadline(DEADLINE_MS, 'The database', work);
    } catch (error) {
      this.log.warn('the database does not answer', error);
      return undefined;
    }
  }

  private async migrationsThatRan(): Promise<readonly string[]> {
    try {
      const rows = await this.control.query<{ readonly name: string }>(sql`select name from migration`);
      return rows.map(({ name }) => name);
    } catch (error) {
      if (causes(error).some((cause) => isSqlError(cause, 'undefinedTable'))) return [];
      throw error;
    }
  }

  private isComplete(ran: readonly string[]): boolean {
    const isOutdated = !this.migrations().every((name) => ran.includes(name));
    if (isOutdated && !this.wasOutdated) this.log.warn(OUTDATED);
    this.wasOutdated = isOutdated;
    return !isOutdated;
  }

  private async derived(): Promise<State | DerivedState> {
    const state = await this.answered(derivedState(this.control));
    if (state !== this.derivedBefore && state !== undefined && state !== 'up') this.log.warn(WHY_NOT_DERIVED[state]);
    this.derivedBefore = state;
    return state ?? 'down';
  }

  private migrations(): readonly string[] {
    return this.database.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  }
}

const stateOf = (isUp: boolean): State => (isUp ? 'up' : 'down');
