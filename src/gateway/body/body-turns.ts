import { networkOf } from '../../platform/queue/network-of.js';
import { KIB, MIB } from '../../kernel/domain/bytes.js';
import { asError, ServiceError } from '../../kernel/errors/service-error.js';

/** Smaller bodies are read in some tenths of a millisecond, and do not wait. */
export const SMALL_BYTES = 16 * KIB;
/** How much may wait; all of it is in memory, but not on the heap. */
const MOST_WAITING_BYTES = 64 * MIB;
const RETRY_AFTER_SECONDS = '1';
/** A turn that took less needs no rest after it. */
const SHORT_MS = 1;
/** The longest rest. */
const MOST_REST_MS = 50;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
  readonly refuse: (error: ServiceError) => void;
}

/** The backlog of one client. */
interface Line {
  readonly waiting: Waiting[];
  bytes: number;
  /** Bytes that have had their turn: the client with the fewest is next. */
  had: number;
}

/**
 * Turns for reading large bodies, which takes some milliseconds of processor time each before anything else can limit
 * them: one at a time, client by client by their bytes, and after each as long a rest for all other work of the
 * process, which takes several rounds of the event loop. A client that hangs up leaves at once.
 */
export class BodyTurns {
  private readonly lines = new Map<string, Line>();
  private bytes = 0;
  /** The initial count of new clients: neither behind nor ahead of those who wait. */
  private level = 0;
  private isScheduled = false;
  /** The reader that paused between slices. */
  private unfinished: (() => void) | undefined;

  constructor(private readonly mostBytes = MOST_WAITING_BYTES) {}

  /**
   * Waits for the turn of a body with this many bytes; what follows without another wait is done in that turn. Fails
   * with the signal's reason if it aborts first, and with 503 SERVICE_UNAVAILABLE if too much is waiting.
   */
  take(client: string, bytes: number, signal: AbortSignal): Promise<void> {
    if (bytes <= SMALL_BYTES) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.remove(client, waiting);
        reject(asError(signal.reason));
      };
      const settled = (settle: () => void): void => {
        signal.removeEventListener('abort', leave);
        settle();
      };
      const waiting: Waiting = {
        bytes,
        begin: () => {
          settled(resolve);
        },
        refuse: (error) => {
          settled(() => {
            reject(error);
          });
        },
      };
      if (signal.aborted) {
        leave();
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      this.add(client, waiting);
    });
  }

  /** Waits for another turn, for whoever has one: before all others, so that few bodies are on the heap. */
  again(): Promise<void> {
    return new Promise((resolve) => {
      this.unfinished = resolve;
    });
  }

  private add(client: string, waiting: Waiting): void {
    const line = this.lines.get(client) ?? { waiting: [], bytes: 0, had: this.level };
    this.lines.set(client, line);
    line.waiting.push(waiting);
    line.bytes += waiting.bytes;
    this.bytes += waiting.bytes;
    // A single body always has room, whatever its permitted size.
    if (this.bytes > this.mostBytes && (this.lines.size > 1 || line.waiting.length > 1)) this.refuseOne(client);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || (this.lines.size === 0 && this.unfinished === undefined)) return;
    this.isScheduled = true;
    setImmediate(() => {
      const beganMs = performance.now();
      this.beginNext();
      // By then, what the turn was taken for is done.
      setImmediate(() => {
        this.rest(performance.now() - beganMs);
      });
    });
  }

  private rest(tookMs: number): void {
    const goOn = (): void => {
      this.isScheduled = false;
      this.schedule();
    };
    if (tookMs < SHORT_MS) goOn();
    else setTimeout(goOn, Math.min(tookMs, MOST_REST_MS));
  }

  private beginNext(): void {
    const { unfinished } = this;
    if (unfinished !== undefined) {
      this.unfinished = undefined;
      unfinished();
      return;
    }
    let next: readonly [string, Line] | undefined;
    for (const entry of this.lines) if (next === undefined || entry[1].had < next[1].had) next = entry;
    const [client, line] = next ?? [];
    const first = line?.waiting[0];
    if (client === undefined || line === undefined || first === undefined) return;
    this.level = line.had;
    line.had += first.bytes;
    this.remove(client, first);
    first.begin();
  }

  private remove(client: string, waiting: Waiting): void {
    const line = this.lines.get(client);
    const at = line?.waiting.indexOf(waiting) ?? -1;
    if (line === undefined || at < 0) return;
    line.waiting.splice(at, 1);
    line.bytes -= waiting.bytes;
    this.bytes -= waiting.bytes;
    if (line.waiting.length === 0) this.lines.delete(client);
  }

  /** The latest body of the client with most waiting; among equals, of the one that has just arrived. */
  private refuseOne(latest: string): void {
    let most = latest;
    for (const [client, { bytes }] of this.lines) if (bytes > (this.lines.get(most)?.bytes ?? 0)) most = client;
    const last = this.lines.get(most)?.waiting.at(-1);
    if (last === undefined) return;
    this.remove(most, last);
    last.refuse(tooManyBodies());
  }
}

/** In whose line a body waits: its caller's or, without a token, that of the network it comes from. */
export const lineOf = (subject: string | undefined, address: string): string => subject ?? networkOf(address);

/** The answer where too much of large bodies is in memory. */
export const tooManyBodies = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many large requests wait to be read; try again later', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
    refusal: 'bodies-waiting',
  });
