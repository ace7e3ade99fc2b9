import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';

/** A connection to a listener, for what no HTTP client would send. */
export class RawConnection {
  private received = '';
  private ended = false;

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.received += text;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.ended = true;
    });
  }

  static async to(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  send(...lines: readonly string[]): void {
    this.socket.write(lines.join('\r\n'));
  }

  /** What has come so far. */
  get text(): string {
    return this.received;
  }

  get isClosed(): boolean {
    return this.ended;
  }

  /** Waits for text that `pattern` matches. */
  async receives(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received)) await once(this.socket, 'data');
    return this.received;
  }

  /** Everything that came before the other side closed the connection, or reset it. */
  async closed(): Promise<string> {
    if (!this.ended) await new Promise((closed) => this.socket.once('close', closed));
    return this.received;
  }
}
