import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { aTrackingId } from '../support/builders/a-tracking-id.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';

interface Subscriber {
  readonly process: ChildProcess;
  readonly lines: readonly string[];
  readonly url: string;
}

type Client = Awaited<ReturnType<RunningApplication['registerClient']>>;

let service: RunningApplication;
let directory: string;
let client: Client;
beforeAll(async () => {
  const env = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_RETRY_SECONDS: '0.2,0.2' };
  service = await startApplication({ env });
  client = await service.registerClient('NATIONAL_ID');
});
afterAll(() => service.stop());

let running: Subscriber[];
beforeEach(async () => {
  running = [];
  directory = await mkdtemp(join(tmpdir(), 'matricula-subscriber-'));
});
afterEach(async () => {
  for (const subscriber of running) await killed(subscriber);
  await rm(directory, { recursive: true });
});

/** As `examples/subscriber/README.md` says, on a free port. Resolves when it has subscribed. */
async function startSubscriber(more: Readonly<Record<string, string>> = {}): Promise<Subscriber> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'examples/subscriber/subscriber.ts'], {
    env: {
      PATH: process.env.PATH,
      MATRICULA_URL: service.publicUrl,
      CLIENT_ID: client.clientId,
      CLIENT_SECRET: client.clientSecret,
      SHA_SECRET: client.shaSecret,
      TOPICS: 'BIRTH_REGISTERED',
      PORT: '0',
      INBOX: join(directory, 'inbox.ndjson'),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const subscriber = {
    process: child,
    lines,
    get url() {
      return `http://127.0.0.1:${/^listening on port (\d+)$/.exec(lines[0] ?? '')?.[1] ?? ''}`;
    },
  };
  running.push(subscriber);
  await said(subscriber, /^subscribed /);
  return subscriber;
}

async function killed({ process: child }: Subscriber): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const said = ({ lines }: Subscriber, what: RegExp, times = 1): Promise<void> =>
  eventually(String(what), () => lines.filter((line) => what.test(line)).length >= times);

/** The birth of the example; another one where ids are given. */
async function register(own: { readonly id?: string; readonly trackingId?: string } = {}): Promise<void> {
  const text = await readFile('examples/subscriber/birth.json', 'utf8');
  const number = own.trackingId ?? 'BEXMP1';
  const body = text
    .replaceAll('BEXMP1', number)
    .replaceAll('7c1f6a52-3d0e-4b8e-9a51-2f6d8c0b7e', (own.id ?? '7c1f6a52-3d0e-4b8e-9a51-2f6d8c0b7e11').slice(0, -2));
  const { status } = await service.request('POST', '/trigger/events/birth/actions/register', {
    listener: 'internal',
    token: await service.issuer.token(),
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(status).toBe(200);
}

interface Delivery {
  readonly id: string;
  readonly status: string;
}

const ask = async (method: string, path: string): Promise<unknown> =>
  (await service.request(method, path, { token: client.token })).json;

const latestWebhook = async (): Promise<string> => {
  const { entries } = (await ask('GET', '/webhooks')) as { entries: { id: string }[] };
  return entries.at(-1)?.id ?? '';
};

const deliveries = async (): Promise<readonly Delivery[]> =>
  ((await ask('GET', `/webhooks/${await latestWebhook()}/deliveries`)) as { deliveries: Delivery[] }).deliveries;

describe('the example subscriber', () => {
  it('agrees, is notified, and takes what is delivered again for what it has', async () => {
    const subscriber = await startSubscriber();
    await register();
    await said(subscriber, /^BIRTH_REGISTERED: Åsa Mwila Öberg$/);
    await register();
    await eventually('delivered', async () => (await deliveries())[0]?.status === 'delivered');
    const [delivery, ...others] = await deliveries();
    expect(others).toEqual([]);

    await ask('POST', `/webhooks/${await latestWebhook()}/deliveries/${delivery?.id ?? ''}/replay`);
    await said(subscriber, new RegExp(`^had it already: ${delivery?.id ?? ''}$`));
    expect(subscriber.lines.filter((line) => line.startsWith('BIRTH_REGISTERED'))).toHaveLength(1);
  });

  it('forgets nothing when it is killed, and is told what it has missed', async () => {
    const PORT = String(await freePort());
    const first = await startSubscriber({ PORT });
    await register({ id: aUuid(0x1100), trackingId: aTrackingId() });
    await said(first, /^BIRTH_REGISTERED/);
    await eventually('delivered', async () => (await deliveries())[0]?.status === 'delivered');
    const [known] = await deliveries();
    await killed(first);

    await register({ id: aUuid(0x2200), trackingId: aTrackingId() });
    await eventually('given up', async () => (await deliveries())[0]?.status === 'dead');
    const second = await startSubscriber({ PORT });
    const base = `/webhooks/${await latestWebhook()}/deliveries`;
    for (const { id } of await deliveries()) await ask('POST', `${base}/${id}/replay`);
    await said(second, new RegExp(`^had it already: ${known?.id ?? ''}$`));
    await said(second, /^BIRTH_REGISTERED/);
    expect(second.lines.filter((line) => line.startsWith('BIRTH_REGISTERED'))).toHaveLength(1);
    const kept = (await readFile(join(directory, 'inbox.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(kept).toHaveLength(2);
  });

  it('answers nobody else', async () => {
    const { url } = await startSubscriber();
    const status = async (path: string, request: RequestInit = {}): Promise<number> =>
      (await fetch(`${url}${path}`, request)).status;
    const forged = {
      method: 'POST',
      headers: { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) },
      body: '{"payload":{"id":"x"}}',
    };
    expect([
      await status('/notifications?mode=subscribe&challenge=c&topic=DEATH_REGISTERED'),
      await status('/notifications?mode=unsubscribe&challenge=c&topic=BIRTH_REGISTERED'),
      await status('/notifications', forged),
      await status('/notifications', { method: 'PUT' }),
    ]).toEqual([404, 404, 401, 405]);
  });

  it('ends well', async () => {
    const { process: child } = await startSubscriber();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
