import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';

import { errorCode } from '../../kernel/errors/service-error.js';
import type { ErrorObject } from '../errors/error-answer.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';
import { HEADER_TOO_LARGE } from './head-limits.js';
import type { Connection } from './open-connections.js';

interface LastAnswer {
  /** The status with its text. */
  readonly status: string;
  readonly body: ErrorObject;
  readonly headers: readonly string[];
}

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: HEADER_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
};

/**
 * Answers input that is not an HTTP request: no handler ever sees it. 400 with the error object of G-4, unless
 * an answer is due before it; then the connection ends, since nobody knows where the next request would begin.
 */
export function answerMalformed(error: Error, socket: Socket, connection: Connection | undefined): void {
  if (errorCode(error) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const message = MESSAGES[errorCode(error) ?? ''] ?? 'The request is not valid HTTP';
  endWith({ status: '400 Bad Request', body: { message, code: 'BAD_REQUEST' }, headers: [] }, socket, connection);
}

/**
 * Answers CONNECT, which asks for a tunnel to somewhere else: Node hands over the connection instead of a request. 405
 * with the error object; then the connection ends, since what follows is no HTTP.
 */
export function answerConnect(socket: Socket, connection: Connection | undefined): void {
  // Node listens to it no more.
  socket.on('error', () => socket.destroy());
  const body = { message: ERROR_MESSAGES.METHOD_NOT_ALLOWED, code: 'METHOD_NOT_ALLOWED' } as const;
  // There is nothing that CONNECT could name here, so no method is allowed there.
  endWith({ status: '405 Method Not Allowed', body, headers: ['Allow: '] }, socket, connection);
}

/** Answers, unless the client has not had the answer before it (G-11); then the connection ends. */
function endWith({ status, body, headers }: LastAnswer, socket: Socket, connection: Connection | undefined): void {
  if (!socket.writable || connection?.isUnanswered === false) {
    socket.destroy();
    return;
  }
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Correlation-Id: ${randomUUID()}`,
    ...headers,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  // Nothing more from the client is read.
  socket.once('finish', () => socket.destroy());
}
