import type { Socket } from 'node:net';

import { Connection } from './connection.js';
import type { Turns } from './turns.js';

/**
 * The open connections of one listener, up to a limit (G-11). If there is no room for another, the one that has been
 * idle longest is ended, or else the one whose body comes, or whose answer goes, slowest: to keep others out, a client
 * must keep the service busy.
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
    const found =
      leastOf(this, ({ idleSinceMs }) => idleSinceMs) ??
      leastOf(this, (connection) => connection.bodyPace() ?? connection.answerPace());
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
