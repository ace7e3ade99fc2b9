import type { Socket } from 'node:net';

import { Connection } from './connection.js';
import type { Turns } from './turns.js';

/**
 * The open connections of one listener, up to a limit (G-11). If there is no room for another, the one that has been
 * idle longest is ended: to keep others out, a client must keep the service busy.
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
    let longest: Connection | undefined;
    for (const connection of this) {
      if ((connection.idleSinceMs ?? Infinity) < (longest?.idleSinceMs ?? Infinity)) longest = connection;
    }
    if (longest === undefined) return false;
    this.open.delete(longest.socket);
    longest.socket.destroy();
    return true;
  }
}
