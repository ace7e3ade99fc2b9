import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { aSecretsKey, filesIn, succeed } from '../support/command-line.js';
import { freePort } from '../support/free-port.js';
import { LOCATIONS_FILE } from '../support/hierarchy.js';
import { LONG_TEST_MS } from '../support/time-outs.js';

jest.setTimeout(LONG_TEST_MS);

/** The commands of the guide, and what it says that they print. */
const BLOCK = /```(sh|text)\n([\s\S]*?)```/g;

let directory: string;
let service: RunningApplication;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'matricula-guide-'));
  const SECRETS_KEY = aSecretsKey();
  const port = await freePort();
  const COUNTRY_CONFIG_URL = `http://127.0.0.1:${port}`;
  // Longer than the country configuration takes to answer on a busy machine.
  const CONFIRMATION_WAIT_SECONDS = '60';
  service = await startApplication({
    env: {
      SECRETS_KEY,
      DATA_DIR: directory,
      COUNTRY_CONFIG_URL,
      CONFIRMATION_WAIT_SECONDS,
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    },
  });
  env = { SECRETS_KEY, DATABASE_URL: service.database.url, PORT: String(port), MATRICULA_URL: service.publicUrl };
  const locations = LOCATIONS_FILE.locations.map((place) => ({ ...place, locationType: 'HEALTH_FACILITY' }));
  const file = await filesIn(() => directory)('locations.json', JSON.stringify({ ...LOCATIONS_FILE, locations }));
  await succeed(['import', 'locations', file], env);
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('the tutorial', () => {
  it('has commands that print what it says when they are pasted one after another', async () => {
    const { token } = await service.registerClient('HEALTH');
    const guide = await readFile('docs/tutorial/first-day.md', 'utf8');
    const blocks = [...guide.matchAll(BLOCK)].map(([, kind, content = '']) => ({ kind, content }));
    const pasted = blocks
      .filter(({ kind, content }) => kind === 'sh' && !content.includes('npm start'))
      .map(({ content }) =>
        content
          .replace('URL=http://127.0.0.1:7070', `URL=${service.publicUrl}`)
          .replaceAll('npm run -s matricula --', `node ${resolve('bin/matricula.mjs')}`)
          .replaceAll('node examples/', `node ${resolve('examples')}/`)
          .replace('PORT=8080 npx tsx examples/', `PORT=0 ${resolve('node_modules/.bin/tsx')} ${resolve('examples')}/`)
          // Whoever pastes takes longer than a program takes to listen.
          .replace(
            / > (\S+\.log) &$/m,
            (start, log: string) => `${start}\nuntil grep -q listening ${log}; do sleep 0.1; done`,
          ),
      );
    const printed = blocks.filter(({ kind }) => kind === 'text').map(({ content }) => content);

    const commands = ["trap 'kill $(jobs -p)' EXIT", ...pasted].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-ec', commands], {
      cwd: directory,
      env: { ...env, PATH: process.env.PATH, NODE_ENV: 'test', HEALTH_TOKEN: token },
    });
    expect(stdout.replace(/^ +(?=\d)/gm, '')).toBe(printed.join(''));
  });
});
