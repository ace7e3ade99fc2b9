import { serverSettings } from './embedded-server.js';

const GIB = 2 ** 30;

describe('serverSettings', () => {
  it('gives the server an eighth of the memory for its buffers, within bounds', () => {
    const buffers = (gib: number) => serverSettings(gib * GIB)['shared_buffers'];
    expect([0.25, 1, 4, 64].map(buffers)).toEqual(['64MB', '128MB', '512MB', '1024MB']);
  });

  it('leaves durability as PostgreSQL ships it', () => {
    expect(Object.keys(serverSettings(GIB))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/fsync|synchronous_commit|full_page_writes/)]),
    );
  });
});
