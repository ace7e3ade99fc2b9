import type { Command, RedisOptions } from 'ioredis';
import { Redis } from 'ioredis';

/** What Bull uses a connection for. */
export type ConnectionUse = 'client' | 'subscriber' | 'bclient';

/**
 * A connection whose commands may fail unheard; a rejection that nobody catches would end the process. Two are dropped:
 * that of the name of a connection, by Bull (it matters to nobody), and that of a subscription that ioredis renews
 * after a reconnection.
 */
class ForgivingRedis extends Redis {
  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    command.promise.catch(() => undefined);
    const sent = super.sendCommand(command, stream);
    return command.name === 'client' ? command.promise.catch(() => undefined) : sent;
  }
}

/**
 * Bull's connections to Redis, made here so that they are ended here: Bull waits for the answers of connections that it
 * ends, and its `close()` rejects if one of them fails meanwhile.
 */
export class BullConnections {
  private readonly all: Redis[] = [];

  /** `createClient` of a queue. */
  readonly create = (use: ConnectionUse, options: RedisOptions = {}): Redis => {
    // Bull demands that commands of the others wait for a connection for as long as it takes.
    const client = new ForgivingRedis({ ...options, ...(use !== 'client' && { maxRetriesPerRequest: null }) });
    // Bull's own listener is gone once the queue is closed.
    client.on('error', () => undefined);
    this.all.push(client);
    return client;
  };

  /** Ends all of them at once. */
  end(): void {
    for (const client of this.all) if (client.status !== 'end') client.disconnect();
  }
}
