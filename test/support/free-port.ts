import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what Linux gives to connections and to whoever asks for any port (32,768 and up), and above known services. */
const [FROM, TO] = [12_000, 32_000];

/**
 * A port of 127.0.0.1 that is free, and is not given to anybody else before it is listened on, nor while a server that
 * is to come back is away.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    if (await isFreePort(port)) return port;
  }
}

async function isFreePort(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
