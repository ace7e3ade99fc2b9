import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';

import { SENDING_PACE } from '../../access/accepts.js';
import { INVALID_INPUT } from '../../errors/faults.js';
import { ServiceError } from '../../errors/service-error.js';
import { GatheredBytes } from '../../input/gathered-bytes.js';
import { ClientGone } from '../errors/client-gone.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';

/** How long a body that is read whole may take. */
const BODY_SECONDS = 60;

const { leastBytesPerSecond: LEAST_BYTES_PER_SECOND, overSeconds: OVER_SECONDS } = SENDING_PACE;
/** How often the pace is checked within that time. */
const LOOKS = 12;

/** 413, with the permitted number of bytes. */
export const tooLarge = (limitBytes: number): ServiceError =>
  new ServiceError('PAYLOAD_TOO_LARGE', ERROR_MESSAGES.PAYLOAD_TOO_LARGE, {
    issues: [{ message: `body: must have at most ${limitBytes} bytes` }],
  });

const tooSlow = (seconds: number): ServiceError =>
  new ServiceError('BAD_REQUEST', INVALID_INPUT, {
    issues: [{ message: `body: must arrive within ${seconds} seconds` }],
    headers: { connection: 'close' },
  });

const tooSlowUpload = (): ServiceError =>
  new ServiceError('BAD_REQUEST', ERROR_MESSAGES.BAD_REQUEST, {
    issues: [
      { message: `body: must come at ${LEAST_BYTES_PER_SECOND} bytes a second or more, over ${OVER_SECONDS} s` },
    ],
    headers: { connection: 'close' },
    refusal: 'slow-upload',
  });

/** The whole body. Fails with 413 past the limit, and with `ClientGone` when it ends before it is complete. */
export async function readWhole(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  // A small body has come with its head, and nothing is to be waited for.
  if (!request.complete) return waitForAll(request, limitBytes);
  const bytes = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  if (bytes.length > limitBytes) throw tooLarge(limitBytes);
  return bytes;
}

function waitForAll(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes();
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
        resolve(gathered.bytes);
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

/**
 * The body as a stream that fails as `readWhole` does, and when it arrives too slowly. A reader that falls behind slows
 * the client down, and has all the time it needs.
 */
export function readAsStream(request: IncomingMessage, limitBytes: number): Transform {
  let bytes = 0;
  let bytesBefore = 0;
  let looks = 0;
  const limited = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      if (bytes > limitBytes) done(tooLarge(limitBytes));
      else done(null, chunk);
    },
  });
  const look = setInterval(
    () => {
      // A slow reader is not the client's fault.
      if (limited.writableNeedDrain || limited.readableLength > 0) return;
      looks += 1;
      if (looks < LOOKS) return;
      if (bytes - bytesBefore < LEAST_BYTES_PER_SECOND * OVER_SECONDS) limited.destroy(tooSlowUpload());
      looks = 0;
      bytesBefore = bytes;
    },
    (1_000 * OVER_SECONDS) / LOOKS,
  ).unref();
  const gone = (): void => {
    if (!request.readableEnded) limited.destroy(new ClientGone());
  };
  // It may fail before anybody reads; the reader then gets the error.
  limited.on('error', () => undefined);
  limited.once('close', () => {
    clearInterval(look);
    request.unpipe(limited).off('error', gone).off('close', gone);
  });
  request.on('error', gone).on('close', gone);
  return request.pipe(limited);
}
