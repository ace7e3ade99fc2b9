import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { KIB } from '../../kernel/domain/bytes.js';

/** So long nothing is said of the pace of a client, and an idle connection may be about to be used. */
export const GRACE_MS = 2_000;
/** Nearly all requests are shorter, and do not wait. A piece has a millisecond of heads or chunks at most. */
const PIECE_BYTES = 4 * KIB;

/**
 * Gives Node's parser a read in pieces, one in each round of the event loop: a read may have thousands of heads, which
 * are not parsed after the second one (G-11), or of chunks. To be called while the server's `connection` event is
 * emitted, when nothing has been read yet.
 */
function parseInPieces(socket: Socket): void {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  if (parse === undefined) throw new Error('this version of Node reads requests in another way');
  const [pause, resume] = [socket.pause.bind(socket), socket.resume.bind(socket)];
  let rest: Buffer = Buffer.alloc(0);
  let isScheduled = false;
  /** Node has paused it: nobody reads the body. */
  let isHeld = false;
  const mayParse = (): boolean => !isHeld;
  const step = (): void => {
    isScheduled = false;
    if (!mayParse()) return;
    // One that has been ended, by its second request or by a fault, has nothing more to say: the rest is dropped.
    const [piece, after] = [rest.subarray(0, PIECE_BYTES), rest.subarray(socket.writable ? PIECE_BYTES : rest.length)];
    rest = after;
    if (socket.writable) parse(piece);
    if (mayParse()) socket.resume();
  };
  socket.pause = () => {
    isHeld = true;
    return pause();
  };
  socket.resume = () => {
    isHeld = false;
    if (rest.length === 0) return resume();
    if (!isScheduled) setImmediate(step);
    isScheduled = true;
    return socket;
  };
  socket.off('data', parse).on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    if (!isScheduled) step();
    if (rest.length > 0) pause();
  });
}

/** One connection to a listener, which has one request at a time (G-11). */
export class Connection {
  private request: IncomingMessage | undefined;
  private response: ServerResponse | undefined;
  /** Bytes sent and taken when the latest answer ended. */
  private movedBefore = 0;

  /** When the latest request came or was answered, or the connection was opened, on the monotonic clock. */
  since = performance.now();

  constructor(readonly socket: Socket) {}

  /** Whether it has a request that is not answered. */
  get isBusy(): boolean {
    return this.response !== undefined;
  }

  /** Whether something can still be said about what has come last: no answer to it has begun. */
  get isUnanswered(): boolean {
    return this.response === undefined || (this.request?.complete === false && !this.response.headersSent);
  }

  /** How much its client sends and takes a millisecond; infinite while the client waits for the service. */
  get pace(): number {
    const sends = this.request?.complete === false && !this.socket.isPaused();
    if (!sends && this.socket.writableLength === 0) return Infinity;
    return (this.moved - this.movedBefore) / (performance.now() - this.since);
  }

  /** Takes a request; false if the one before it is not answered. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.isBusy) return false;
    this.request = request;
    this.response = response;
    this.since = performance.now();
    response.once('close', () => {
      this.response = undefined;
      this.since = performance.now();
      this.movedBefore = this.moved;
    });
    return true;
  }

  private get moved(): number {
    return this.socket.bytesRead + this.socket.bytesWritten - this.socket.writableLength;
  }
}

/**
 * The open connections of one listener, up to a limit (G-11). If there is no room for another, the one is ended that
 * has been idle longest, or else the one whose client sends its body, or takes its answer, slowest. One that was used a
 * moment ago is the last, as its client may be sending the next request.
 */
export class OpenConnections implements Iterable<Connection> {
  private readonly open = new Map<Socket, Connection>();

  constructor(private readonly most: number) {}

  /** Admits a new connection; false if there is no room for it. */
  admit(socket: Socket): boolean {
    if (this.open.size >= this.most && !this.makeRoom()) return false;
    parseInPieces(socket);
    this.open.set(socket, new Connection(socket));
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
    const idleSince = ({ isBusy, since }: Connection): number => (isBusy ? Infinity : since);
    const isSettled = ({ since }: Connection): boolean => since < performance.now() - GRACE_MS;
    const found =
      this.least((one) => (isSettled(one) ? idleSince(one) : Infinity)) ??
      this.least((one) => (isSettled(one) ? one.pace : Infinity)) ??
      this.least(idleSince);
    if (found === undefined) return false;
    this.open.delete(found.socket);
    found.socket.destroy();
    return true;
  }

  /** The one with the least value; undefined if that of each is infinite. */
  private least(valueOf: (connection: Connection) => number): Connection | undefined {
    let [found, least]: [Connection | undefined, number] = [undefined, Infinity];
    for (const connection of this) {
      const value = valueOf(connection);
      if (value < least) [found, least] = [connection, value];
    }
    return found;
  }
}
