import { getEventListeners } from 'node:events';

import { CONNECTION_OPTIONS, guardedPool } from '../connection/guarded-client.js';
import { connectUnlessAborted } from './connections.js';

describe('a connection that cannot be made', () => {
  it('leaves no listener on the signal, which may outlive many attempts', async () => {
    const pool = guardedPool(CONNECTION_OPTIONS, { host: '127.0.0.1', port: 1, max: 1 });
    const { signal } = new AbortController();
    await expect(connectUnlessAborted(pool, signal)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await pool.end();
  });
});
