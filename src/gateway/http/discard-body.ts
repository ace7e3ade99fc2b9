import type { IncomingMessage } from 'node:http';

import { MIB } from '../../kernel/domain/bytes.js';

const MOST_BYTES = 16 * MIB;
const MOST_MS = 5_000;

/**
 * Reads the rest of the body of a request that is answered before it is complete, so that a client that is still sending
 * sees the answer and can reuse the connection. After 16 MiB or 5 seconds the connection is closed.
 * The request must not be complete.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.destroyed) return;
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  let answered = false;
  // Node calls this after the last answer of a connection. Destroying a socket with unread data resets the connection,
  // and the reset can overtake the answer.
  socket.destroySoon = () => {
    answered = true;
    socket.end();
  };
  const deadline = setTimeout(() => socket.destroy(), MOST_MS);
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) socket.destroy();
  });
  request.once('close', () => {
    clearTimeout(deadline);
    socket.destroySoon = destroySoon;
    if (answered) destroySoon();
  });
  request.resume();
}
