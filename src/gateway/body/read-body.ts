import type { IncomingMessage } from 'node:http';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { GatheredBytes } from '../../kernel/input/gathered-bytes.js';
import { ClientGone, ERROR_MESSAGES } from '../errors/error-answer.js';

/** How long a body that is read whole may take. */
const BODY_SECONDS = 60;

/** 413, with the permitted number of bytes. */
export const tooLarge = (limitBytes: number): ServiceError =>
  new ServiceError('PAYLOAD_TOO_LARGE', ERROR_MESSAGES.PAYLOAD_TOO_LARGE, {
    issues: [{ message: `body: must have at most ${limitBytes} bytes` }],
  });

const tooSlow = (seconds: number): ServiceError =>
  invalidInput(`body: must arrive within ${seconds} seconds`, { headers: { connection: 'close' } });

/** The whole body. Fails with 413 past the limit, and with `ClientGone` when it ends before it is complete. */
export async function readWhole(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  // A small body has come with its head, and nothing is to be waited for.
  if (!request.complete) {
    // It tells nobody again.
    if (request.destroyed) throw new ClientGone();
    return waitForAll(request, limitBytes);
  }
  const gathered = new GatheredBytes(mostOf(request, limitBytes));
  for (;;) {
    // From Node 26 on one piece after the other, and all of it at once before.
    const piece = request.read() as Buffer | null;
    if (piece === null) return gathered.trimmed;
    gathered.add(piece);
    if (gathered.length > limitBytes) throw tooLarge(limitBytes);
  }
}

/** How much may come: what the head announced, if it did. */
const mostOf = ({ headers }: IncomingMessage, limitBytes: number): number =>
  Math.min(limitBytes, Number(headers['content-length'] ?? Infinity));

function waitForAll(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes(mostOf(request, limitBytes));
    const settle = (outcome: () => void): void => {
      clearTimeout(deadline);
      request.off('data', take).off('end', end).off('error', gone).off('close', gone);
      outcome();
    };
    const fail = (error: Error): void => {
      settle(() => {
        request.pause();
        reject(error);
      });
    };
    const take = (chunk: Buffer): void => {
      gathered.add(chunk);
      if (gathered.length > limitBytes) fail(tooLarge(limitBytes));
    };
    const end = (): void => {
      settle(() => {
        resolve(gathered.trimmed);
      });
    };
    const gone = (): void => {
      fail(new ClientGone());
    };
    const deadline = setTimeout(() => {
      fail(tooSlow(BODY_SECONDS));
    }, BODY_SECONDS * 1_000);
    request.on('data', take).on('end', end).on('error', gone).on('close', gone);
  });
}
