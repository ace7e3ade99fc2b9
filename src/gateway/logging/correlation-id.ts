import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Safe in log lines, answers and headers of other systems. */
const SAFE = /^[\w.:/+=@-]{1,128}$/;

/** W3C Trace Context, traceparent: version, trace id, parent id and flags; later versions may append more. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/**
 * The id of a request everywhere (G-5): its own `x-correlation-id`, the trace id of its `traceparent`, or a new one. A
 * value that is not safe to repeat counts as absent.
 */
export function correlationIdOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  newId: () => string = randomUUID,
): string {
  const given = headers['x-correlation-id'];
  if (typeof given === 'string' && SAFE.test(given)) return given;
  return traceIdOf(headers.traceparent) ?? newId();
}

function traceIdOf(traceparent: string | string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  // Version 00 ends with its flags.
  if (traceparent.startsWith('00-') && traceparent.length !== 55) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}
