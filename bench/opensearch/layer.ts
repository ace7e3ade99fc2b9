import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { exportSPKI, generateKeyPair, SignJWT } from 'jose';

/** A Node process before OpenSearch (layer-process.ts), and a token that it accepts. */
export interface Layer {
  readonly url: string;
  readonly pid: number;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

export async function startLayer(openSearchUrl: string): Promise<Layer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const program = join(import.meta.dirname, 'layer-process.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program, openSearchUrl, await exportSPKI(publicKey)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout);
  const ready = once(lines, 'line') as Promise<[string]>;
  const [url] = await Promise.race([
    ready,
    ended.then((): never => {
      throw new Error('the layer before OpenSearch did not start');
    }),
  ]);
  return {
    url,
    pid: child.pid ?? 0,
    token: await new SignJWT({}).setProtectedHeader({ alg: 'RS256' }).setExpirationTime('1d').sign(privateKey),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
