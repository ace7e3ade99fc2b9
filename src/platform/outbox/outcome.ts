import { KIB } from '../../kernel/domain/bytes.js';
import { absurd } from '../../kernel/errors/service-error.js';
import type { Exchange } from '../outbound/exchange.js';
import { retryAfterMs } from './retry-schedule.js';

const GONE = 410;
const KEPT_RESPONSE_BYTES = KIB;

/** The result of an attempt (W-7). */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** 410: whoever is told wants nothing more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly retryAfterMs: number | undefined };

/** The stored part of an attempt (W-10). */
export interface AttemptNote {
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

export interface Attempted<O> {
  readonly outcome: O;
  readonly note: AttemptNote;
}

/** An exchange in which something was, or may have been, sent. */
export type MadeExchange = Exclude<Exchange, { readonly kind: 'withdrawn' }>;

/** Turns exchanges with one kind of addressee into outcomes. */
export interface Judgement<O> {
  readonly outcomeOf: (exchange: MadeExchange) => O;
  /** The result of an attempt that failed on our side. */
  readonly failed: O;
  readonly onFault: (fault: unknown) => void;
}

/** Undefined if nothing was sent. A fault on our side is an outcome too, or it would be repeated for ever. */
export async function attempted<O>(
  make: () => Promise<Exchange>,
  { outcomeOf, failed, onFault }: Judgement<O>,
): Promise<Attempted<O> | undefined> {
  const beganMs = performance.now();
  try {
    const exchange = await make();
    return exchange.kind === 'withdrawn' ? undefined : { outcome: outcomeOf(exchange), note: noteOf(exchange) };
  } catch (fault) {
    onFault(fault);
    const durationMs = Math.round(performance.now() - beganMs);
    const error = `internal: ${fault instanceof Error ? fault.name : typeof fault}`;
    return { outcome: failed, note: { durationMs, status: null, error, response: null } };
  }
}

/** A failure of which nothing more is known. */
export const FAILED: Outcome = { kind: 'failed', retryAfterMs: undefined };

/** A 2xx acknowledges, 410 ends the subscription, everything else and no answer is a failure. */
export function outcomeOf(exchange: MadeExchange, nowMs: number): Outcome {
  if (exchange.kind !== 'answered') return FAILED;
  const { status, headers } = exchange;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  return status === GONE ? { kind: 'gone' } : { kind: 'failed', retryAfterMs: retryAfterMs(status, headers, nowMs) };
}

export function noteOf(exchange: MadeExchange): AttemptNote {
  const { durationMs } = exchange;
  switch (exchange.kind) {
    case 'answered':
      return { durationMs, status: exchange.status, error: null, response: beginningOf(exchange.body) };
    case 'refused':
      return { durationMs, status: null, error: `refused: ${exchange.reason}`, response: null };
    case 'unreachable': {
      const { errorClass, code } = exchange;
      return { durationMs, status: null, error: code === '' ? errorClass : `${errorClass}: ${code}`, response: null };
    }
    default:
      return absurd(exchange);
  }
}

/** The first KiB as text, without control characters: Postgres cannot store NUL, and JSON writes others with six. */
const beginningOf = (body: Buffer): string =>
  body
    .subarray(0, KEPT_RESPONSE_BYTES)
    .toString('utf8')
    .replaceAll(/(?![\t\r\n])\p{Cc}/gu, '\ufffd');
