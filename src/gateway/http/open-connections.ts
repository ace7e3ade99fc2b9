import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { KIB } from '../../kernel/domain/bytes.js';

/** So long nothing is said of the pace of a client, and an idle connection may be about to be used. */
export const GRACE_MS = 2_000;
/** Nearly all requests are shorter, and do not wait. A step has some milliseconds of heads or chunks at most. */
const STEP_BYTES = 4 * KIB;
/** After so much parsing, the event loop sees what else has arrived. */
const MOST_PARSING_MS = 2;

/** Parses in turns what connections have sent: otherwise a round of the event loop would parse a read of each. */
export class ParsingTurns {
  private readonly waiting: (() => boolean)[] = [];
  private isScheduled = false;

  constructor(private readonly mostMs = MOST_PARSING_MS) {}

  /** The step is done again, after those of others, while it yields true. */
  take(step: () => boolean): void {
    this.waiting.push(step);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      try {
        this.round();
      } finally {
        // A failure ends the process, as anywhere else; until then the others have their turns.
        this.schedule();
      }
    });
  }

  private round(): void {
    const untilMs = performance.now() + this.mostMs;
    do {
      const step = this.waiting.shift();
      if (step?.() === true) this.waiting.push(step);
    } while (this.waiting.length > 0 && performance.now() < untilMs);
  }
}

/**
 * Stands between a socket and Node's parser, which would parse a whole read at once, though it may have thousands of
 * heads or chunks. To be called while the server's `connection` event is emitted, when nothing has been read yet.
 */
function parseInTurns(socket: Socket, turns: ParsingTurns): void {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  if (parse === undefined) throw new Error('this version of Node reads requests in another way');
  const [pause, resume] = [socket.pause.bind(socket), socket.resume.bind(socket)];
  let unread: Buffer = Buffer.alloc(0);
  let isWaiting = false;
  /** Node has paused it: nobody reads the body. */
  let isHeld = false;
  // A connection that has been ended, by its second request or by a fault, has nothing more to say.
  const mayParse = (): boolean => unread.length > 0 && !isHeld && socket.writable;
  const step = (): boolean => {
    if (mayParse()) {
      const bytes = unread.subarray(0, STEP_BYTES);
      unread = unread.subarray(STEP_BYTES);
      parse(bytes);
    }
    isWaiting = mayParse();
    if (unread.length === 0 && !isHeld) resume();
    return isWaiting;
  };
  const wait = (): void => {
    if (isWaiting || !mayParse()) return;
    isWaiting = true;
    turns.take(step);
  };
  socket.pause = () => {
    isHeld = true;
    return pause();
  };
  socket.resume = () => {
    isHeld = false;
    if (unread.length === 0) resume();
    else wait();
    return socket;
  };
  socket.off('data', parse);
  socket.on('data', (bytes: Buffer) => {
    if (!socket.writable) return;
    if (unread.length === 0 && !isWaiting && bytes.length <= STEP_BYTES) {
      parse(bytes);
      return;
    }
    unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes]);
    pause();
    wait();
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

  constructor(
    private readonly most: number,
    private readonly turns: ParsingTurns,
  ) {}

  /** Admits a new connection; false if there is no room for it. */
  admit(socket: Socket): boolean {
    if (this.open.size >= this.most && !this.makeRoom()) return false;
    parseInTurns(socket, this.turns);
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
