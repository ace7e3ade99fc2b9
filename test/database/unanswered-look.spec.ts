import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { Primary } from '../../src/platform/database/connection/primary.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** What each new connection asks first: what the server is. */
const LOOK = 'pg_is_in_recovery';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Passes everything on, but nothing of the first `lost` connections from their look at the server on. */
async function losing(lost: number): Promise<{ readonly url: string; close(): Promise<void> }> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  let left = lost;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
    let isLost = false;
    near.on('data', (bytes: Buffer) => {
      if (!isLost && left > 0 && bytes.includes(LOOK)) {
        isLost = true;
        left -= 1;
      }
      if (!isLost) far.write(bytes);
    });
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Far less than a statement may take, and far more than the deadline of a connection. */
const SOON_MS = 30_000;

const within = <T>(work: Promise<T>): Promise<T | 'not soon'> =>
  Promise.race([
    work,
    new Promise<'not soon'>((late) => {
      setTimeout(late, SOON_MS, 'not soon').unref();
    }),
  ]);

describe('a connection that dies silently before the server has said what it is', () => {
  it('keeps its place in a pool no longer than connecting may take', async () => {
    const proxy = await losing(1);
    const pool = new Primary(proxy.url).pool('test', 1);
    try {
      const first = pool.query('select 1').then(
        () => 'answered',
        () => 'refused',
      );
      const second = pool.query('select 2 as two').then(
        ({ rows }) => rows as unknown[],
        () => 'refused',
      );
      expect(await within(first)).toBe('refused');
      const third = pool.query('select 3 as three').then(({ rows }) => rows as unknown[]);
      expect([await within(second), await within(third)]).toEqual([[{ two: 2 }], [{ three: 3 }]]);
    } finally {
      await proxy.close();
      await pool.end();
    }
  });

  it('is given up by who needs it alone', async () => {
    const proxy = await losing(1);
    const primary = new Primary(proxy.url);
    try {
      const first = primary.connect('test').then(
        () => 'connected',
        () => 'refused',
      );
      expect(await within(first)).toBe('refused');
      const client = await primary.connect('test');
      client.abandon(new Error('the test is over'));
    } finally {
      await proxy.close();
    }
  });
});
