import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

import { freePort } from './free-port.js';

/** Stands between a client and the server at an address, to take that server away and bring it back. */
export class TcpProxy {
  /** Connections made through it so far. */
  accepted = 0;
  private readonly sockets = new Set<Socket>();
  /** Of connections that stand without passing anything on: the side of the server. */
  private silenced: readonly Socket[] = [];
  private readonly fars = new Set<Socket>();
  private server: Server | undefined;
  private hangs = false;

  private constructor(
    private target: URL,
    private readonly port: number,
  ) {}

  static async to(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url), await freePort());
    await proxy.open();
    return proxy;
  }

  /** The address that leads through it. */
  get url(): string {
    const address = new URL(this.target);
    address.host = `127.0.0.1:${this.port}`;
    return address.href;
  }

  /** Accepts connections, on the same port as before. */
  async open(): Promise<void> {
    const server = createServer((near) => {
      this.accepted += 1;
      const far = connect(Number(this.target.port), this.target.hostname);
      this.fars.add(far);
      for (const socket of [near, far]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.sockets.delete(socket);
          this.fars.delete(far);
          near.destroy();
          far.destroy();
        });
      }
      if (this.hangs) return;
      near.pipe(far);
      far.pipe(near);
    });
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  /** New connections lead to the server at `url`, as when a name or an address moves to another one. */
  leadTo(url: string): void {
    this.target = new URL(url);
  }

  /** Breaks every connection and accepts none. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Breaks every connection; others can be made at once. */
  breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Lets every connection stand, without passing anything on. */
  freeze(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
    this.silenced = [...this.fars];
  }

  /**
   * What a server does that gets no sign of life: it ends its side of connections that were frozen, and nobody hears of
   * it.
   */
  giveUpFrozen(): void {
    for (const far of this.silenced) far.removeAllListeners('close').destroy();
    this.silenced = [];
  }

  /** The same, and new connections are made, on which nothing is passed on either: packets vanish. */
  hang(): void {
    this.hangs = true;
    this.freeze();
  }

  /** New connections work again. Those that stood meanwhile never do. */
  passNew(): void {
    this.hangs = false;
  }
}
