import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Config } from 'jest';

/**
 * Starts the server of this run (`test-server.ts`): the one at `DATABASE_URL`, or an embedded one. Workers find it in
 * `TEST_SERVER_URL`, and the prefix of this run's databases in `TEST_RUN`. The projects of one run share it.
 */
export default async function setUp({ rootDir = '.' }: Config): Promise<void> {
  if (globalThis.stopTestServer !== undefined) return;
  const server = spawn(process.execPath, ['--import', 'tsx', join(rootDir, 'test/support/test-server.ts')], {
    cwd: rootDir,
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C must not reach it before the workers have closed their connections.
    detached: true,
  });
  const ended = once(server, 'exit');
  globalThis.stopTestServer = async () => {
    globalThis.stopTestServer = undefined;
    server.stdin.end();
    await ended;
  };
  for await (const line of createInterface(server.stdout)) {
    const { url, run } = JSON.parse(line) as { url: string; run: string };
    process.env.TEST_SERVER_URL = url;
    process.env.TEST_RUN = run;
    return;
  }
  throw new Error('The test server did not start; its own message stands above.');
}
