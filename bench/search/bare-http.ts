import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Pool } from 'undici';

import type { Statement } from './statement-of.js';

/** A process that answers look-ups with nothing around them (bare-http-process.ts). */
export interface BareHttp {
  /** The answer's text to the statement with this number. */
  readonly ask: (at: number) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function startBareHttp(
  databaseUrl: string,
  statements: readonly Statement[],
  connections: number,
): Promise<BareHttp> {
  const program = join(import.meta.dirname, 'bare-http-process.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program, databaseUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  child.stdin.end(
    JSON.stringify(statements, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  const client = new Pool(`http://127.0.0.1:${port}`, { connections });
  return {
    ask: async (at) => (await client.request({ path: '/', method: 'POST', body: String(at) })).body.text(),
    stop: async () => {
      await client.close();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
