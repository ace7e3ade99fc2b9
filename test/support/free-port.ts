import { randomInt } from 'node:crypto';

import { isFreePort } from '../../src/platform/database/embedded/embedded-server.js';

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
