import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';

import { errorCode } from '../../errors/error-code.js';
import type { ErrorObject } from '../errors/error-answer.js';
import type { Connection } from './connection.js';

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The header of the request is too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
};

/**
 * Answers input that is not an HTTP request: no handler ever sees it. 400 with the error object of G-4, after the
 * answers of earlier requests; then the connection ends, since nobody knows where the next request would begin.
 */
export function answerMalformed(error: Error, socket: Socket, connection: Connection | undefined): void {
  const before = connection?.responses ?? [];
  connection?.stop();
  if (errorCode(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const last = before.at(-1);
  if (connection === undefined || last === undefined) answer(error, socket);
  else if (!connection.isWithinRequest)
    last.once('close', () => {
      answer(error, socket);
    });
  // The fault is in the body of a request that is with its route.
  else if (last.headersSent) socket.destroy();
  else answer(error, socket);
}

function answer(error: Error, socket: Socket): void {
  if (!socket.writable) {
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
  // Nothing more from the client is read.
  socket.once('finish', () => socket.destroy());
}
