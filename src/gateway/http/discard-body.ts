import type { IncomingMessage } from 'node:http';

const MOST_BYTES = 16 * 1024 * 1024;
const MOST_MS = 5_000;

/**
 * Reads what is left of the body of a request that is answered without it, so that a client that is still sending
 * gets to see the answer and can use the connection again. Past 16 MiB or 5 seconds the connection is closed.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  let answered = false;
  // Node calls this when an answer was the connection's last. Destroying a socket that has unread data resets the
  // connection, and the reset can overtake the answer.
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
