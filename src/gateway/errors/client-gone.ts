import { errorCode } from '../../kernel/errors/error-code.js';

/** The client closed its connection before its request was read: there is nobody to answer, and nothing is wrong. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}

/** Errors of reading from and writing to a closed connection. */
const CLOSED = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ABORT_ERR']);

/** Whether an error only means that the client, whose connection is closed, hung up. */
export const isClientGone = (error: unknown, connectionClosed: boolean): boolean =>
  error instanceof ClientGone || (connectionClosed && error instanceof Error && CLOSED.has(errorCode(error) ?? ''));
