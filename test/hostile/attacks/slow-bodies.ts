import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually.js';
import type { Arena } from '../arena.js';
import { only, times } from '../arena.js';
import type { Attack } from '../attack.js';

const SECONDS = 4;
const MANY_CHUNKS = '1\r\n1\r\n'.repeat(10_000);
const MOST_MB = 200;
const REFUSED_MS = 30_000;

/** How often each status was answered. */
type Statuses = Record<string, number>;

interface Sending {
  readonly url: string;
  /** The request line and the headers, but for `Host` and what tells the length. */
  readonly head: readonly string[];
  /** What is sent at once of the body, whose length is unknown. */
  readonly begin: readonly string[];
  /** What is sent of it each second. */
  readonly drip?: string;
}

/** Sends bodies that do not end, for some seconds; then does what is to be done meanwhile. */
async function sent(arena: Arena, all: readonly Sending[], meanwhile: (statuses: Statuses) => Promise<void>) {
  const statuses: Statuses = {};
  const sockets = await Promise.all(all.map((one) => begun(one, statuses)));
  let most = 0;
  try {
    for (let second = 0; second < SECONDS; second += 1) {
      await sleep(1_000);
      for (const { socket, drip } of sockets) if (drip !== undefined && !socket.destroyed) socket.write(drip);
      most = Math.max(most, await arena.heldMegabytes());
    }
    await meanwhile(statuses);
  } finally {
    for (const { socket } of sockets) socket.destroy();
  }
  if (most > MOST_MB) throw new Error(`the process held ${Math.round(most)} MB`);
  return `the process held ${Math.round(most)} MB at most`;
}

async function begun({ url, head, begin, drip }: Sending, statuses: Statuses) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname).on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  socket.once('data', (answer: Buffer) => {
    const status = answer.toString('latin1').split(' ')[1] ?? '';
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  socket.write([...head, 'Host: a', 'Transfer-Encoding: chunked', '', ''].join('\r\n'));
  for (const part of begin) socket.write(part);
  return { socket, drip };
}

const post = (path: string, type: string, token?: string): readonly string[] => [
  `POST ${path} HTTP/1.1`,
  `Content-Type: ${type}`,
  ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
];

const FORM =
  '--b\r\ncontent-disposition: form-data; name="transactionId"\r\n\r\nslow\r\n' +
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n';

const nothing = (): Promise<void> => Promise.resolve();

const asChunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const attachment = ({ publicUrl: url }: Arena, token: string): Sending => ({
  url,
  head: post('/attachments', 'multipart/form-data; boundary=b', token),
  begin: [asChunk(FORM)],
  drip: asChunk(' '),
});

const anImport = ({ internalUrl: url }: Arena, token: string | undefined): Sending => ({
  url,
  head: post('/events/bulk-import', 'application/x-ndjson', token),
  begin: [asChunk('{"id":')],
  drip: asChunk(' '),
});

/** A body that comes a byte a second, on each route that takes an upload, with and without a token. */
async function uploads(arena: Arena): Promise<readonly Sending[]> {
  const [administrator, { token }] = [await arena.issuer.token(), await arena.client()];
  const { publicUrl, internalUrl } = arena;
  const routes = [
    { url: publicUrl, path: '/attachments', type: 'multipart/form-data; boundary=b', body: FORM, good: token },
    {
      url: internalUrl,
      path: '/events/bulk-import',
      type: 'application/x-ndjson',
      body: '{"id":',
      good: administrator,
    },
    { url: publicUrl, path: '/locations', type: 'application/json', body: '{"id":', good: administrator },
    { url: publicUrl, path: '/events/notify', type: 'application/json', body: '{"id":', good: token },
  ];
  return routes.flatMap(({ url, path, type, body, good }) =>
    times(50, (at) => ({
      url,
      head: post(path, type, at % 2 === 0 ? good : undefined),
      begin: [asChunk(body)],
      drip: asChunk(' '),
    })),
  );
}

export const SLOW_BODY_ATTACKS: readonly Attack[] = [
  {
    attack: '50 bodies to the token endpoint in 60,000 chunks of a byte, which do not end, without a token',
    act: async (arena) => {
      const head = post('/auth/token', 'application/x-www-form-urlencoded');
      const one = { url: arena.publicUrl, head, begin: times(6, () => MANY_CHUNKS) };
      return sent(
        arena,
        times(50, () => one),
        nothing,
      );
    },
  },
  {
    attack: 'four searches of a megabyte in chunks of a byte, which do not end',
    act: async (arena) => {
      const { token } = await arena.client();
      const head = post('/events/search', 'application/json', token);
      const one = { url: arena.publicUrl, head, begin: times(100, () => MANY_CHUNKS) };
      return sent(
        arena,
        times(4, () => one),
        nothing,
      );
    },
  },
  {
    attack: '24 attachments and seven imports in 60,000 chunks of a byte each, which do not end',
    act: async (arena) => {
      const clients = await Promise.all(times(6, () => arena.client()));
      const attachments = clients.flatMap(({ token }) => {
        const head = post('/attachments', 'multipart/form-data; boundary=b', token);
        return times(4, () => ({ url: arena.publicUrl, head, begin: [asChunk(FORM), ...times(6, () => MANY_CHUNKS)] }));
      });
      const head = post('/events/bulk-import', 'application/x-ndjson', await arena.issuer.token());
      const imports = times(7, () => ({ url: arena.internalUrl, head, begin: times(6, () => MANY_CHUNKS) }));
      return sent(arena, [...attachments, ...imports], nothing);
    },
  },
  {
    attack: '24 attachments of six clients and eight imports of two, a byte a second: all places there are',
    act: async (arena) => {
      const [clients, other] = [await Promise.all(times(6, () => arena.client())), await arena.client()];
      const [first, second, third] = await Promise.all(times(3, (at) => arena.issuer.token({ sub: `imports ${at}` })));
      const attachments = clients.flatMap(({ token }) => times(4, () => attachment(arena, token)));
      const imports = times(8, (at) => anImport(arena, at === 7 ? second : first));
      return sent(arena, [...attachments, ...imports], async (statuses) => {
        if (Object.keys(statuses).length > 0) throw new Error(`they got ${JSON.stringify(statuses)}`);
        const upload = arena.post('/attachments', {
          body: `${FORM}\r\n--b--\r\n`,
          token: other.token,
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        });
        // Their pace is known after five seconds; an import does not wait for that.
        await eventually('an import finds a place', async () => {
          const bulk = await arena.post('/events/bulk-import', {
            body: '{}\n',
            ...(third !== undefined && { token: third }),
            headers: { 'content-type': 'application/x-ndjson' },
            listener: 'internal',
          });
          only([bulk], [200, 503]);
          return bulk.status === 200;
        });
        only([await upload], [200]);
        await eventually('two gave way', () => statuses['503'] === 2);
      });
    },
  },
  {
    attack:
      '200 uploads that come a byte a second: attachments, imports, locations and notifications, half without a token',
    act: async (arena) => {
      let got: Statuses = {};
      const told = await sent(arena, await uploads(arena), async (statuses) => {
        // Of one client, 7 imports run at a time; later, attachments that wait for a turn are refused too.
        const isRefused = ({ 401: unknown = 0, 503: past = 0 }: Statuses): boolean => unknown === 100 && past >= 18;
        await eventually('those without a token, and 18 imports, are refused', () => isRefused(statuses), REFUSED_MS);
        got = { ...statuses };
        if (Object.keys(got).length > 2) throw new Error(`they got ${JSON.stringify(got)}`);
        const ready = await fetch(`${arena.internalUrl}/health/ready`);
        if (ready.status !== 200) throw new Error(`readiness is ${ready.status}: ${await ready.text()}`);
      });
      return `${JSON.stringify(got).replaceAll('"', '')}; ready meanwhile; ${told}`;
    },
  },
];
