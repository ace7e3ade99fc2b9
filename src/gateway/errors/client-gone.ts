import { errorCode } from '../../kernel/errors/service-error.js';

/** Before its request was read: not a fault. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}

const CLOSED = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ABORT_ERR']);

export const isClientGone = (error: unknown, connectionClosed: boolean): boolean =>
  error instanceof ClientGone || (connectionClosed && error instanceof Error && CLOSED.has(errorCode(error) ?? ''));
