import { messageOf } from '../../../kernel/errors/service-error.js';
import { interruptibleSleep } from '../../jobs/periodic.js';
import { stopOrphans } from './claim.js';
import { type Launch, ServerProcess } from './server-process.js';

/** A server that ran this long restarts without a pause. */
const SOUND_MS = 30_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** Restarts the server on the same port if it ends by itself. */
export class Supervisor {
  private current: ServerProcess | undefined;
  private supervision: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  /** `process.exit` and uncaught errors leave no time to wait. */
  private readonly onExit = (): void => this.current?.interrupt();

  constructor(
    private readonly launch: Launch,
    private readonly log: (line: string) => void,
  ) {}

  async start(): Promise<void> {
    process.once('exit', this.onExit);
    try {
      await this.run();
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.supervision = this.supervise();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.current?.stop();
    await this.supervision;
    process.removeListener('exit', this.onExit);
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    const server = await ServerProcess.start(this.launch);
    this.current = server;
    try {
      if (this.isStopping()) await server.stop();
      else await server.ready();
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  private async supervise(): Promise<void> {
    while (!this.isStopping()) {
      const since = performance.now();
      const how = await this.current?.ended;
      if (this.isStopping()) return;
      this.log(`the embedded database ended by itself (${how ?? 'unknown'}); it is started again`);
      await this.startAgain(performance.now() - since > SOUND_MS ? 0 : 1);
    }
  }

  /** Retries with growing pauses until the server is back or no longer wanted. */
  private async startAgain(before: number): Promise<void> {
    for (let attempts = before; ; attempts += 1) {
      await this.pause(attempts);
      if (this.isStopping()) return;
      try {
        await stopOrphans(this.launch.dataDirectory);
        await this.run();
        if (!this.isStopping()) this.log('the embedded database accepts connections again');
        return;
      } catch (error) {
        this.log(messageOf(error));
      }
    }
  }

  private async pause(attempts: number): Promise<void> {
    if (attempts === 0) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
    await interruptibleSleep(pauseMs, this.stopping.signal);
  }
}
