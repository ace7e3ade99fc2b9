import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';

import { messageOf } from './service-error.js';

/** The failure to connect to a host with two addresses, neither of which answers, as Node makes it. */
async function unreachable(): Promise<{ readonly error: unknown; readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  const socket = connect({
    host: 'database.example',
    port,
    lookup: (_host, _options, done) => {
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
      ]);
    },
  });
  return { error: await new Promise((resolve) => socket.once('error', resolve)), port };
}

describe('the message of an error', () => {
  it('is that of each address where a host has several and none answers', async () => {
    const { error, port } = await unreachable();
    expect(messageOf(error)).toBe(`connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}`);
  });

  it.each([
    [new Error('a fault'), 'a fault'],
    [Object.assign(new Error(''), { code: 'ETIMEDOUT' }), 'ETIMEDOUT'],
    [new AggregateError([], 'none of them'), 'none of them'],
    ['a text', 'a text'],
  ])('is what it says: %p', (error, message) => {
    expect(messageOf(error)).toBe(message);
  });
});
