import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type Command, Redis } from 'ioredis';
import { type Config, CONFIG } from '../../platform/config/config.js';

const CONNECT_MS = 2_000;
/** For how long an answer is waited for; then memory counts. */
export const COMMAND_MS = 250;
const MOST_RECONNECT_MS = 5_000;
/** A Redis that has answered nothing for this long hangs, and no request waits for it. */
const SILENT_MS = 3 * COMMAND_MS;

/**
 * Gives up a command without an answer in time. An answer that arrived while the process was busy is read first:
 * otherwise each process would count for itself, which gives a pair additional attempts.
 */
class PatientRedis extends Redis {
  /** When the first of the commands given up in a row was sent. */
  private silentSinceMs: number | undefined;

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const sentMs = performance.now();
    const sent = super.sendCommand(command, stream);
    const deadline = setTimeout(() => {
      // Meanwhile, everything that has arrived is read.
      setImmediate(() => {
        if (!command.isResolved) this.giveUp(command, sentMs);
      });
    }, COMMAND_MS);
    const settled = (): void => {
      clearTimeout(deadline);
    };
    command.promise.then(() => {
      settled();
      this.silentSinceMs = undefined;
    }, settled);
    return sent;
  }

  private giveUp(command: Command, sentMs: number): void {
    command.reject(new Error('Redis did not answer in time'));
    this.silentSinceMs ??= sentMs;
    if (performance.now() - this.silentSinceMs < SILENT_MS) return;
    this.silentSinceMs = undefined;
    // It keeps each command until its answer comes. The next connection is not used before Redis has answered on it.
    this.disconnect(true);
  }
}

/** The connection to Redis, if `REDIS_URL` names one. It connects in the background and retries. */
@Injectable()
export class RedisConnection implements OnApplicationShutdown {
  readonly client: Redis | undefined;
  private readonly log = new Logger(RedisConnection.name);
  private isDown = false;

  constructor(@Inject(CONFIG) config: Pick<Config, 'REDIS_URL'>) {
    if (config.REDIS_URL === undefined) return;
    this.client = new PatientRedis(config.REDIS_URL.reveal(), {
      connectTimeout: CONNECT_MS,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 200, MOST_RECONNECT_MS),
    });
    this.client.on('error', (error) => {
      if (!this.isDown) this.log.warn('Redis is away; rate limits are counted in this process', error);
      this.isDown = true;
    });
    this.client.on('ready', () => {
      if (this.isDown) this.log.log('Redis is back');
      this.isDown = false;
    });
  }

  onApplicationShutdown(): void {
    this.client?.disconnect();
  }
}
