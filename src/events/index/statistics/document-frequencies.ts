import { setImmediate as turn } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Periodic } from '../../../platform/jobs/periodic.js';
import { Database } from '../../../platform/database/pools/database.js';
import { unlessAborted } from '../../../platform/database/connection/queryable.js';
import { type Cardinalities, KnownCardinalities, UNKNOWN_CARDINALITIES } from './cardinalities.js';
import { readStatistics, stateOfStatistics } from './read-statistics.js';

/** For a new ANALYZE. */
const EVERY_MS = 10_000;

/** Approximate, from the statistics of `event_search`. They affect the speed of a plan, never its result. */
@Injectable()
export class DocumentFrequencies implements OnApplicationShutdown {
  private readonly log = new Logger(DocumentFrequencies.name);
  private known: Cardinalities = UNKNOWN_CARDINALITIES;
  private read: string | undefined;
  /** Set during the first reading from a new server. */
  private reading: Promise<void> | undefined;
  private readonly loop = new Periodic({
    everyMs: EVERY_MS,
    work: () => this.refresh(),
    onError: (error) => {
      this.tellFailure(error);
    },
  });

  constructor(private readonly database: Database) {
    database.primary.onNewServer(() => {
      this.known = UNKNOWN_CARDINALITIES;
      this.read = undefined;
      // Deferred past the call that found the new server.
      const reading = turn()
        .then(() => this.refreshed())
        .finally(() => {
          if (this.reading === reading) this.reading = undefined;
        });
      this.reading = reading;
    });
  }

  /**
   * Waits for a new server's statistics: all searches would seem small. Throws the signal's reason when it
   * aborts.
   */
  async current(signal?: AbortSignal): Promise<Cardinalities> {
    if (this.reading !== undefined) await unlessAborted(this.reading, signal);
    return this.known;
  }

  get cardinalities(): Cardinalities {
    return this.known;
  }

  async start(): Promise<void> {
    await this.refreshed();
    this.loop.start(EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  async refresh(): Promise<void> {
    const state = await stateOfStatistics(this.database);
    if (state === this.read) return;
    this.known = new KnownCardinalities(await readStatistics(this.database));
    this.read = state;
  }

  private refreshed(): Promise<void> {
    return this.refresh().catch((error: unknown) => {
      this.tellFailure(error);
    });
  }

  private tellFailure(error: unknown): void {
    this.log.warn('the statistics of the records could not be read: plans are chosen by older ones', error);
  }
}
