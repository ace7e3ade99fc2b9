import { once } from 'node:events';
import { finished, PassThrough, type Readable } from 'node:stream';
import { KIB } from '../../../kernel/domain/bytes.js';
import { asError, ServiceError } from '../../../kernel/errors/service-error.js';
import { NDJSON_TYPES } from '../../../platform/dto/accepts.js';

const JSON_TYPE = 'application/json';

// Text between commas or semicolons outside quotes; an open quotation ends with the header.
const RANGES = /(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;
const PARTS = /(?:[^;"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;

/**
 * Whether `Accept` names NDJSON and does not rate JSON equally (S-15). Any other `Accept` gets JSON: G-4 has no code
 * for 406, and RFC 9110 12.5.1 permits that.
 */
export function acceptsNdjson(accept = ''): boolean {
  if (!/ndjson|jsonl/i.test(accept)) return false;
  const qualities = new Map((accept.match(RANGES) ?? []).map(qualityOf));
  const ofNdjson = NDJSON_TYPES.map((type) => qualities.get(type) ?? 0);
  return Math.max(...ofNdjson) > (qualities.get(JSON_TYPE) ?? 0);
}

function qualityOf(range: string): readonly [type: string, quality: number] {
  const [type = '', ...parameters] = (range.match(PARTS) ?? []).map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}

/** Resolves when there is room for more. Fails when the client has gone. */
export type Write = (text: string | Buffer) => Promise<void>;

/** The pace at which a client must take waiting data. */
export interface ReadingPace {
  readonly leastBytesPerSecond: number;
  readonly overMs: number;
}

export const READING_PACE: ReadingPace = { leastBytesPerSecond: 16_000, overMs: 60_000 };

/** Only for the log. */
export const tooSlowReader = (what: string): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `The client took too little of its answer: ${what}`, {
    refusal: 'slow-reader',
  });

interface StreamedBody {
  readonly produce: (write: Write) => Promise<void>;
  /** Ends a wait for the client, with its reason. */
  readonly signal: AbortSignal;
  /** Only for a body that had begun. */
  readonly onBroken: (error: unknown) => void;
  readonly pace?: ReadingPace;
}

/** Parts below this are sent together. */
const TOGETHER_BYTES = 64 * KIB;

/**
 * Sends a body while `produce` writes it, as fast as its client takes it. Resolves with the first text, so an earlier
 * failure is thrown. A later failure, or a slow client, breaks off the connection: a part cannot pass for the whole.
 */
export function streamedBody({ produce, signal, onBroken, pace = READING_PACE }: StreamedBody): Promise<Readable> {
  return new Promise((begun, failed) => {
    const body = new PassThrough({ highWaterMark: TOGETHER_BYTES });
    const closed = new AbortController();
    const over = AbortSignal.any([signal, closed.signal]);
    let isBegun = false;
    const begin = (): void => {
      isBegun = true;
      begun(body);
    };
    const patience = (): NodeJS.Timeout => {
      const bytes = body.readableLength + body.writableLength;
      return setTimeout(
        () => body.destroy(tooSlowReader(`not ${bytes} bytes in time`)),
        pace.overMs + (1_000 * bytes) / pace.leastBytesPerSecond,
      ).unref();
    };
    const write = async (text: string | Buffer): Promise<void> => {
      if (!isBegun) begin();
      over.throwIfAborted();
      if (body.write(text)) return;
      const late = patience();
      try {
        await once(body, 'drain', { signal: over });
      } catch (error) {
        throw over.aborted ? asError(over.reason) : error;
      } finally {
        clearTimeout(late);
      }
    };
    finished(body, (error) => {
      closed.abort(error);
      if (body.errored !== null && isBegun) onBroken(body.errored);
    });
    produce(write).then(
      () => {
        if (!isBegun) begin();
        body.end();
        const late = patience();
        body.once('close', () => {
          clearTimeout(late);
        });
      },
      (error: unknown) => {
        const reason = asError(error);
        if (!isBegun) failed(reason);
        body.destroy(isBegun ? reason : undefined);
      },
    );
  });
}
