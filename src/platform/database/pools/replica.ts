import { messageOf } from '../../../kernel/errors/service-error.js';
import { interruptibleSleep } from '../../jobs/periodic.js';
import { placeOf } from '../connection/advisory-locks.js';
import { type PrimaryPosition, type Reading, type ReplicaAddress, ReplicaFault, ReplicaLink } from './replica-link.js';

/** `up`: readable; `behind`: lacks data that a search must find. */
export type ReplicaState = 'up' | 'behind' | 'down';

const LOOK_EVERY_MS = 500;

interface ReplicaOptions extends ReplicaAddress {
  readonly primary: PrimaryPosition;
  readonly onChange: (line: string) => void;
}

export class Replica {
  readonly place: string;
  /** At the last check; undefined while down. */
  lagBytes: number | undefined;
  served = 0;
  busy = 0;
  private current: ReplicaState = 'down';
  private link: ReplicaLink | undefined;
  private drops = 0;
  private watching: Promise<void> | undefined;
  private reported: ReplicaState | undefined;
  private readonly life = new AbortController();

  constructor(private readonly options: ReplicaOptions) {
    this.place = placeOf(options.url);
  }

  get state(): ReplicaState {
    return this.current;
  }

  start(): void {
    this.watching ??= this.watch();
  }

  async stop(): Promise<void> {
    this.life.abort();
    this.drop();
    await this.watching;
  }

  /**
   * Includes everything before `position`. Throws `ReplicaFault` if the primary must read; the replica then awaits its
   * next check.
   */
  async read<T>(position: string, reading: Reading<T>): Promise<T> {
    const link = this.state === 'up' ? this.link : undefined;
    if (link === undefined) throw new ReplicaFault('the replica is not up any more', true);
    this.busy += 1;
    try {
      const result = await link.read(position, reading);
      this.served += 1;
      return result;
    } catch (error) {
      if (error instanceof ReplicaFault && error.isLasting && this.current === 'up') this.current = 'behind';
      throw error;
    } finally {
      this.busy -= 1;
    }
  }

  private async watch(): Promise<void> {
    while (!this.isStopped()) {
      try {
        await this.look();
      } catch (error) {
        this.drop();
        this.report('down', error);
      }
      await interruptibleSleep(LOOK_EVERY_MS, this.life.signal);
    }
  }

  private async look(): Promise<void> {
    const { primary } = this.options;
    const { drops } = this;
    const position = await primary.current().catch(() => undefined);
    const origin = await primary.origin().catch(() => undefined);
    // Without the primary there is neither a comparison nor a search.
    if (position === undefined || origin === undefined) return;
    this.link ??= await ReplicaLink.open(this.options);
    await this.link.requireOrigin(origin);
    const lagBytes = await this.link.lag(position);
    // No longer wanted, or the primary has changed.
    if (drops !== this.drops) {
      this.drop();
      return;
    }
    this.lagBytes = lagBytes;
    this.current = lagBytes === 0 ? 'up' : 'behind';
    if (this.current === 'up') this.report('up');
  }

  /** Aborts reads; the next check determines whether it follows the current primary. */
  drop(): void {
    this.drops += 1;
    this.current = 'down';
    this.lagBytes = undefined;
    this.link?.close();
    this.link = undefined;
  }

  /** Once per change; metrics show short lags. */
  private report(state: 'up' | 'down', error?: unknown): void {
    if (this.reported === state || this.isStopped()) return;
    this.reported = state;
    this.options.onChange(
      state === 'up'
        ? `searches are read from the replica at ${this.place}`
        : `the replica at ${this.place} is down, and searches are not read from it: ${messageOf(error)}`,
    );
  }

  private isStopped(): boolean {
    return this.life.signal.aborted;
  }
}
