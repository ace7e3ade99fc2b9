import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Turns } from './turns.js';

type Push = (piece: Buffer | null) => boolean;

/**
 * Joins the pieces of a chunked body that Node's parser finds in one step. Each chunk is an object of some hundred
 * bytes until it is read, though a client may send a byte in each. A body with a length has one piece a step.
 */
export class BodyPieces {
  private found: Buffer[] = [];
  private push: Push = () => true;

  /** `pause`: called when nobody has read what was passed on before. */
  constructor(private readonly pause: () => void) {}

  /** Takes what the parser finds of the body of a request, from its head on. */
  of(request: IncomingMessage): void {
    this.push = request.push.bind(request);
    request.push = (piece: Buffer | null) => {
      if (piece !== null) this.found.push(piece);
      else this.end();
      return true;
    };
  }

  /** To be called after each step. */
  passOn(): void {
    const [first, ...others] = this.found;
    if (first === undefined) return;
    const piece = others.length === 0 ? first : Buffer.concat(this.found);
    this.found = [];
    if (!this.push(piece)) this.pause();
  }

  private end(): void {
    this.passOn();
    this.push(null);
  }
}

/** The end of a head: RFC 9112 2.1. Node accepts no other. */
const BLANK_LINE = '\r\n\r\n';
const LINE_END = '\r\n';
/** A step may end within a blank line. */
const MOST_BEGUN = BLANK_LINE.length - 1;
/** `GET /`: the shortest head before its blank line. */
const LEAST_LINE = 5;
/** A step of a chunked body, whose length is unknown, has at least this: a dozen of the shortest heads. */
const CHUNKED_STEP = 256;
/** A step of a chunked body has at most this: chunks of a byte take some milliseconds. */
const LARGEST_STEP = 16 * KIB;
/** After so long, everything else has its turn before more is parsed. */
const MOST_PARSING_MS = 5;

/** So long nothing is said of the pace of a body or of an answer, and an idle connection may be about to be used. */
export const GRACE_MS = 2_000;

type Parse = (bytes: Buffer) => void;

/**
 * One connection to a listener, whose requests are handled one after the other (G-11): the next is parsed while the one
 * before is with its route, and is handled in its turn when that one is answered and the client has taken the answer.
 *
 * Node would parse everything at once and pass on each request: a client that sends thousands before it reads an answer
 * would make it hold as many requests and answers, and serve nobody else meanwhile. So incoming bytes are kept here,
 * one or two reads (of 64 KiB) at most, and given to Node's parser in steps in which one head ends.
 */
export class Connection {
  /** Requests that are with their route, or wait for it: two at most, or a dozen after a body in chunks. */
  private readonly inFlight = new Set<ServerResponse>();
  private readonly waiting: (() => void)[] = [];
  /** Received, but not parsed. */
  private readonly unread: Buffer[] = [];
  /** When the last request was answered, or the connection opened; on the monotonic clock. */
  private idleSince = performance.now();
  private latest: IncomingMessage | undefined;
  /** The last characters of what was parsed: a blank line may have begun there. */
  private ending = '';
  /** The bytes of the step after the end of a head; undefined if unknown. */
  private bytesAfterHead: number | undefined = 0;
  /** In the body of the latest request; 0 if its length is unknown. */
  private unreadBodyBytes = 0;
  private readBodyBytes = 0;
  /** When the latest request was taken, on the monotonic clock. */
  private takenMs = 0;
  /** When the route got the request that is to be answered, and what the client had taken of earlier answers. */
  private answeringSinceMs = 0;
  private takenBefore = 0;
  /** Whether the body of the latest request has no length: if there is one, it comes in chunks. */
  private comesInChunks = false;
  private isParsing = false;
  private isResting = false;
  private isHeld = false;
  /** Node has paused reading: the client does not take its answers, or nobody reads the body. */
  private isPausedByNode = false;
  private isOver = false;
  private readonly pieces: BodyPieces;
  private readonly parse: Parse;
  private readonly pause: () => void;
  private readonly resume: () => void;

  /** To be created while the server's `connection` event is emitted, when nothing has been read yet. */
  constructor(
    readonly socket: Socket,
    private readonly turns: Turns,
    private readonly mostParsingMs = MOST_PARSING_MS,
  ) {
    const [parse] = socket.listeners('data') as Parse[];
    if (parse === undefined) throw new Error('this version of Node reads requests in another way');
    this.parse = parse;
    this.pause = socket.pause.bind(socket);
    this.resume = socket.resume.bind(socket);
    this.pieces = new BodyPieces(() => socket.pause());
    this.standBetween(socket);
  }

  /** Whether a request is with its route, or waits for it. */
  get isBusy(): boolean {
    return this.inFlight.size > 0;
  }

  /** Since when no request has been with its route, on the monotonic clock; undefined while one is. */
  get idleSinceMs(): number | undefined {
    return this.isBusy ? undefined : this.idleSince;
  }

  /** Since when a request waits for the answer to the one before it, on the monotonic clock; undefined if none does. */
  get pipelinedSinceMs(): number | undefined {
    return this.waiting.length > 0 ? this.takenMs : undefined;
  }

  get responses(): readonly ServerResponse[] {
    return [...this.inFlight];
  }

  /** Whether the body of the latest request is still to come. */
  get isWithinRequest(): boolean {
    return this.latest !== undefined && !this.latest.complete;
  }

  /**
   * How fast the body of the latest request comes, in bytes a second; undefined if it is not the client who is slow.
   */
  bodyPace(): number | undefined {
    if (!this.isBusy || !this.isWithinRequest || this.isPausedByNode) return undefined;
    const seconds = (performance.now() - this.takenMs) / 1_000;
    return seconds < GRACE_MS / 1_000 ? undefined : this.readBodyBytes / seconds;
  }

  /**
   * How fast the client takes the waiting answer, in bytes a second; undefined if the client is not the slow side.
   * Among clients that took nothing, the longest waiting is the slowest.
   */
  answerPace(): number | undefined {
    if (!this.isBusy || this.socket.writableLength === 0) return undefined;
    const seconds = (performance.now() - this.answeringSinceMs) / 1_000;
    return seconds < GRACE_MS / 1_000 ? undefined : (this.takenBytes() - this.takenBefore + 1) / seconds;
  }

  /** Takes a request that Node has parsed, and has it handled in its turn. */
  take(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
    this.latest = request;
    this.comesInChunks = request.headers['content-length'] === undefined;
    if (this.comesInChunks) this.pieces.of(request);
    const { bytesAfterHead = Infinity } = this;
    this.unreadBodyBytes = Math.max(0, Number(request.headers['content-length'] ?? 0) - bytesAfterHead);
    this.readBodyBytes = this.bytesAfterHead ?? 0;
    this.takenMs = performance.now();
    this.inFlight.add(response);
    response.once('close', () => {
      this.inFlight.delete(response);
      this.idleSince = performance.now();
      if (this.waiting.length > 0)
        this.turns.take(() => {
          this.next();
        });
    });
    const begin = (): void => {
      this.answeringSinceMs = performance.now();
      this.takenBefore = this.takenBytes();
      handle();
    };
    if (this.inFlight.size === 1) begin();
    else this.waiting.push(begin);
  }

  /** Parses nothing more; existing requests are still handled. */
  stop(): void {
    this.isOver = true;
    this.unread.length = 0;
  }

  private takenBytes(): number {
    return this.socket.bytesWritten - this.socket.writableLength;
  }

  private next(): void {
    this.waiting.shift()?.();
    this.read();
  }

  /** Takes the place of Node's parser at the socket, and notices when Node pauses it. */
  private standBetween(socket: Socket): void {
    socket.off('data', this.parse);
    socket.on('data', (bytes: Buffer) => {
      this.unread.push(bytes);
      this.read();
    });
    socket.once('close', () => {
      this.stop();
      this.waiting.length = 0;
    });
    socket.pause = () => {
      this.isPausedByNode = true;
      this.pause();
      return socket;
    };
    socket.resume = () => {
      this.isPausedByNode = false;
      if (!this.isHeld) this.resume();
      else if (!this.isParsing)
        process.nextTick(() => {
          this.read();
        });
      return socket;
    };
  }

  /** Parses what has come. Chunks of a body cost much for their bytes, so they are parsed in a turn. */
  private read(isTurn = false): void {
    if (this.isParsing || this.isResting) return;
    this.isParsing = true;
    const untilMs = performance.now() + this.mostParsingMs;
    try {
      for (let isLate = false; this.mayParse; isLate = performance.now() >= untilMs) {
        if (isLate || (this.isWithinChunks && !isTurn)) {
          this.rest();
          break;
        }
        this.parse(this.takeStep());
        if (this.comesInChunks) this.pieces.passOn();
      }
    } finally {
      this.isParsing = false;
      this.hold(this.mustHold);
    }
  }

  private get mustHold(): boolean {
    return this.isResting || this.unread.length > 0;
  }

  private rest(): void {
    this.isResting = true;
    this.turns.take(() => {
      this.isResting = false;
      this.read(true);
    });
  }

  /** Whether something has come and need not wait for anything but a turn. */
  private get mayParse(): boolean {
    const mustWait = this.isOver || this.socket.destroyed || this.isPausedByNode || this.waiting.length > 0;
    return this.unread.length > 0 && !mustWait;
  }

  /** Whether what is to be parsed is of a body whose length is unknown. */
  private get isWithinChunks(): boolean {
    return this.isWithinRequest && this.unreadBodyBytes === 0;
  }

  private takeStep(): Buffer {
    const [bytes = Buffer.alloc(0)] = this.unread;
    const length = this.isWithinRequest ? this.bodyStep(bytes) : this.headStep(bytes);
    const step = bytes.subarray(0, length);
    this.ending = (this.ending + step.toString('latin1', Math.max(0, length - MOST_BEGUN))).slice(-MOST_BEGUN);
    if (length === bytes.length) this.unread.shift();
    else this.unread[0] = bytes.subarray(length);
    return step;
  }

  /** Up to the end of one head; or everything if no chunk and no further head ends in it: a small request. */
  private headStep(bytes: Buffer): number {
    const end = this.endOfHead(bytes);
    const isAll = end === undefined || bytes.indexOf(LINE_END, end) < 0;
    this.bytesAfterHead = isAll ? bytes.length - (end ?? bytes.length) : 0;
    return isAll ? bytes.length : end;
  }

  /** How much of the bytes is the rest of a head, with its blank line; undefined if it does not end in them. */
  private endOfHead(bytes: Buffer): number | undefined {
    const begun = this.ending.length;
    const across = (this.ending + bytes.toString('latin1', 0, MOST_BEGUN)).indexOf(BLANK_LINE);
    if (across >= 0) return across + BLANK_LINE.length - begun;
    const at = bytes.indexOf(BLANK_LINE, this.ending === '' ? LEAST_LINE : 0);
    return at < 0 ? undefined : at + BLANK_LINE.length;
  }

  private bodyStep(bytes: Buffer): number {
    const isExact = this.unreadBodyBytes > 0;
    const length = isExact
      ? Math.min(bytes.length, this.unreadBodyBytes)
      : chunkedStep(bytes.subarray(0, LARGEST_STEP));
    // In chunks: the heads of the next requests may end in it.
    if (!isExact) this.bytesAfterHead = undefined;
    this.unreadBodyBytes = Math.max(0, this.unreadBodyBytes - length);
    this.readBodyBytes += length;
    return length;
  }

  private hold(isHeld: boolean): void {
    if (isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    if (isHeld) this.pause();
    else if (!this.isPausedByNode) this.resume();
  }
}

/** The body ends with a blank line, and so does each head after it. */
function chunkedStep(bytes: Buffer): number {
  const at = bytes.indexOf(BLANK_LINE, CHUNKED_STEP);
  return at < 0 ? bytes.length : at + BLANK_LINE.length;
}
