import type { Socket } from 'node:net';

import { Connection, GRACE_MS } from './connection.js';
import type { Turns } from './turns.js';

/**
 * The open connections of one listener, up to a limit (G-11). If there is no room for another, one is ended: the one
 * that has been idle longest; or else the one whose pipelined request waits longest; or else the one whose body comes,
 * or whose answer goes, slowest. To keep others out, a client must keep the service busy, and wait for each answer. One
 * that was used a moment ago is ended only if there is none of these, as its client may be sending the next request.
 */
export class OpenConnections implements Iterable<Connection> {
  private readonly open = new Map<Socket, Connection>();

  constructor(
    private readonly most: number,
    private readonly turns: Turns,
  ) {}

  /** Admits a new connection; false if there is no room for it. */
  admit(socket: Socket): boolean {
    if (this.open.size >= this.most && !this.makeRoom()) return false;
    this.open.set(socket, new Connection(socket, this.turns));
    socket.once('close', () => this.open.delete(socket));
    return true;
  }

  of(socket: Socket): Connection | undefined {
    return this.open.get(socket);
  }

  [Symbol.iterator](): IterableIterator<Connection> {
    return this.open.values();
  }

  private makeRoom(): boolean {
    const usedMs = performance.now() - GRACE_MS;
    const found =
      leastOf(this, ({ idleSinceMs = Infinity }) => (idleSinceMs < usedMs ? idleSinceMs : undefined)) ??
      leastOf(this, ({ pipelinedSinceMs }) => pipelinedSinceMs) ??
      leastOf(this, (connection) => connection.bodyPace() ?? connection.answerPace()) ??
      leastOf(this, ({ idleSinceMs }) => idleSinceMs);
    if (found === undefined) return false;
    this.open.delete(found.socket);
    found.socket.destroy();
    return true;
  }
}

/** The one with the least value; undefined if none has a value. */
function leastOf(
  connections: Iterable<Connection>,
  valueOf: (connection: Connection) => number | undefined,
): Connection | undefined {
  let [found, least]: [Connection | undefined, number] = [undefined, Infinity];
  for (const connection of connections) {
    const value = valueOf(connection);
    if (value === undefined || value >= least) continue;
    [found, least] = [connection, value];
  }
  return found;
}
