import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { errorCode } from '../../errors/error-code.js';
import type { ErrorObject } from '../errors/error-answer.js';

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The header of the request is too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
};

/**
 * Answers what is no HTTP request: no handler ever sees it. 400 with the error object of G-4, and the connection ends,
 * since nobody knows where the next request would begin.
 */
export function answerMalformed(error: Error, socket: Socket, inFlight: readonly ServerResponse[]): void {
  const answered = inFlight.some((response) => response.headersSent);
  if (errorCode(error) === 'ECONNRESET' || !socket.writable || answered) {
    socket.destroy();
    return;
  }
  const message = MESSAGES[errorCode(error) ?? ''] ?? 'The request is not valid HTTP';
  const body = JSON.stringify({ message, code: 'BAD_REQUEST' } satisfies ErrorObject);
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Correlation-Id: ${randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Whatever else the client sends is not read.
  socket.once('finish', () => socket.destroy());
}
