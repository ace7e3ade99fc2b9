/**
 * What looking for duplicates adds to a declaration: `npx tsx bench/duplicates.ts --database URL`, of the built
 * program, on a database that was seeded under `SECRETS_KEY`. Births and marriages with the same declaration are
 * declared by turns, and no rule ships for marriages. It leaves them there.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';

import { Command } from 'commander';
import pg from 'pg';

import { ServiceProcess } from '../test/faults/service-process.js';
import { succeed } from '../test/support/command-line.js';
import { measured } from './measure/about.js';
import { spreadOf } from './measure/spread.js';

interface Options {
  readonly database: string;
  readonly declarations: number;
  readonly callers: readonly number[];
}

type Declaration = Readonly<Record<string, unknown>>;

const SCOPES = ['create', 'read', 'declare'].map((operation) => `type=record.${operation}`);
const TYPES = ['birth', 'marriage'] as const;

/**
 * Declarations of births that are there, each with another day of birth of the mother: names and dates as they are
 * common.
 */
async function declarationsOf(database: string, count: number): Promise<readonly Declaration[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    const { rows } = await client.query<{ declaration: Declaration }>(
      `select split_part(body, chr(10), 1)::json -> 'declaration' as declaration from event_document
        where body like '%"type":"birth"%' limit $1`,
      [count],
    );
    // Files are those of other events.
    const isKept = ([id, value]: readonly [string, unknown]): boolean =>
      id !== 'child.nid' && !JSON.stringify(value).includes('"path"');
    return rows.map(({ declaration }) => ({
      ...Object.fromEntries(Object.entries(declaration).filter(isKept)),
      'mother.dob': '1931-01-01',
      'mother.nid': randomUUID(),
    }));
  } finally {
    await client.end();
  }
}

async function measure({ database, declarations }: Options, callers: number): Promise<readonly object[]> {
  const env = { DATABASE_URL: database, SECRETS_KEY: process.env['SECRETS_KEY'] ?? '', DATA_DIR: tmpdir() };
  const token = (
    await succeed(
      [
        'token',
        '--subject',
        'bench',
        '--office',
        await officeOf(database),
        ...SCOPES.flatMap((scope) => ['--scope', scope]),
      ],
      env,
    )
  ).trim();
  const service = new ServiceProcess(env);
  await service.start();
  try {
    const post = async (
      path: string,
      body: object,
    ): Promise<{ readonly id: string; readonly actions: readonly { type: string }[] }> => {
      const answer = await fetch(`${service.urls?.publicUrl ?? ''}/events${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ ...body, transactionId: randomUUID() }),
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
      return JSON.parse(text) as { readonly id: string; readonly actions: readonly { type: string }[] };
    };
    const samples: Record<(typeof TYPES)[number], number[]> = { birth: [], marriage: [] };
    let hits = 0;
    const waiting = [...(await declarationsOf(database, declarations + 2 * callers)).entries()];
    const caller = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [at, declaration] = next;
        for (const type of TYPES) {
          const { id } = await post('', { type });
          const beganMs = performance.now();
          const { actions } = await post(`/${id}/actions/declare`, { declaration });
          // The first are for warming up.
          if (at >= 2 * callers) samples[type].push(performance.now() - beganMs);
          if (actions.some((action) => action.type === 'DUPLICATE_DETECTED')) hits += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    return TYPES.map((type) => {
      const { p50, p95, p99 } = spreadOf(samples[type]);
      return { type, callers, count: samples[type].length, p50, p95, p99, hits: type === 'birth' ? hits : 0 };
    });
  } finally {
    await service.stop();
  }
}

async function officeOf(database: string): Promise<string> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`select id from place where kind = 'location' limit 1`);
  await client.end();
  return rows[0]?.id ?? '';
}

const command = new Command()
  .requiredOption('--database <url>', 'seeded under SECRETS_KEY')
  .option('--declarations <count>', 'of each type', Number, 300)
  .option('--callers <counts>', 'at a time, between commas', (text) => text.split(',').map(Number), [1, 8])
  .action(async (options: Options) => {
    const [about, rows] = await measured(options.database, async () => {
      const all: object[] = [];
      for (const callers of options.callers) all.push(...(await measure(options, callers)));
      return all;
    });
    process.stdout.write(`${JSON.stringify({ about, rows }, undefined, 2)}\n`);
  });
await command.parseAsync();
