/**
 * A process that owns the embedded server of the directory it is given: it prints the server's address on one line,
 * and closes it when its standard input ends.
 */
import { text } from 'node:stream/consumers';

import { openServer } from '../../src/platform/database/embedded/open-server.js';

const server = await openServer({
  databaseUrl: undefined,
  dataDir: process.argv[2] ?? '',
  log: (line) => {
    console.error(line);
  },
});
console.log(server.url);
await text(process.stdin);
await server.close();
