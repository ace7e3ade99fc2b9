import { randomInt, randomUUID } from 'node:crypto';

import { MOST_VERSIONS } from '../../../src/kernel/domain/location.js';
import type { Answer, Arena, Asked } from '../arena.js';
import { only, some, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';

const FLOOD_MS = 5_000;
const BATCH = 20;

/** A batch of one procedure without an input, 700 bytes of an address. */
const batchOf = (procedure: string): string =>
  `/events/${times(BATCH, () => procedure).join(',')}?batch=1&input=%7B%7D`;

/** Requests on as many connections, each again and again for a while. */
async function flood(arena: Arena, connections: number, ask: (at: number) => Asked & { path: string }) {
  const until = performance.now() + FLOOD_MS;
  const answers: Answer[] = [];
  await Promise.all(
    times(connections, async (at) => {
      while (performance.now() < until) {
        const { path, ...asked } = ask(at);
        const answer = await arena.ask('GET', path, asked);
        answers.push({ ...answer, text: answer.text.slice(0, 300) });
      }
    }),
  );
  return answers;
}

/** An address in a network of IPv6 that somebody has, or in one of his own. */
const inNetwork = (network: number): Record<string, string> => ({
  'x-forwarded-for': `2001:db8:0:${network.toString(16)}::${randomInt(1, 65_536).toString(16)}`,
});

export const LIST_ATTACKS: readonly Attack[] = [
  {
    attack: '250 batches of 20 lists of places each, by tRPC, at once, by any token',
    act: async (arena) => {
      const client = await arena.client();
      const paths = ['locations.list', 'administrativeAreas.list'].map(batchOf);
      const answers = await Promise.all(
        times(250, (at) => arena.ask('GET', paths[at % paths.length] ?? '', { token: client.token })),
      );
      only(answers, [200, 503]);
      some(answers, 200);
      return statuses(answers);
    },
  },
  {
    attack: '250 batches of 20 lists of 300 integrations each, by tRPC, at once',
    isCostly: true,
    act: async (arena) => {
      const token = await arena.issuer.token();
      const scopes = ['record.search', 'record.read', 'record.create', 'record.notify', 'record.declare'];
      const body = { name: 'x'.repeat(200), scopes };
      for (let made = 0; made < 300; made += 20) {
        only(await Promise.all(times(20, () => arena.post('/events/integrations', { token, body }))), [200]);
      }
      const path = batchOf('integrations.list');
      const answers = await Promise.all(times(250, () => arena.ask('GET', path, { token })));
      only(answers, [200, 207, 503]);
      some(answers, 200);
      return statuses(answers);
    },
  },
  {
    attack: 'all places as FHIR, without a token, on 200 connections: half of one network of IPv6, half of as many',
    act: async (arena) => {
      const answers = await flood(arena, 200, (at) => ({
        path: `/location?_count=${1_000 + at}`,
        headers: inNetwork(at % 2 === 0 ? 0 : at),
      }));
      only(answers, [200, 503]);
      some(answers, 200);
      return statuses(answers);
    },
  },
  {
    attack: 'users, integrations, what these did and runs of a reindex, listed on 200 connections',
    act: async (arena) => {
      const { client_id: id } = await arena.client();
      const paths = ['/users?count=1000', '/integrations', `/integrations/${id}/audit?count=100`, '/events/reindex'];
      const token = await arena.issuer.token();
      const answers = await flood(arena, 200, (at) => ({
        path: paths[at % paths.length] ?? '',
        token,
        listener: 'internal',
      }));
      only(answers, [200, 503]);
      some(answers, 200);
      return statuses(answers);
    },
  },
  {
    attack: '1,020 versions of a place, each of 256 characters, then 100 lists of places at once',
    isCostly: true,
    act: async (arena) => {
      const token = await arena.issuer.token();
      const [id, ...versionIds] = times(MOST_VERSIONS + 21, () => randomUUID());
      const ask = { token, listener: 'internal' } as const;
      const first = { id, versionId: versionIds[0], administrativeAreaId: null, locationType: 'HEALTH_FACILITY' };
      only([await arena.post('/locations', { ...ask, body: { ...first, name: 'first' } })], [200]);
      const changed: Answer[] = [];
      for (let at = 1; at < versionIds.length; at += 1) {
        const [lastVersionId, versionId] = [versionIds[Math.min(at, MOST_VERSIONS) - 1], versionIds[at]];
        const effectiveFrom = new Date(Date.UTC(1990, 0, at)).toISOString().slice(0, 10);
        const body = { name: `${at}`.padEnd(256, 'x'), status: 'active', versionId, lastVersionId, effectiveFrom };
        changed.push(await arena.ask('PUT', `/locations/${id}`, { ...ask, body }));
      }
      only(changed.slice(0, MOST_VERSIONS - 1), [200]);
      only(changed.slice(MOST_VERSIONS - 1), [409]);
      const client = await arena.client();
      const lists = await Promise.all(times(100, () => arena.ask('GET', '/locations', { token: client.token })));
      only(lists, [200, 503]);
      some(lists, 200);
      return `versions ${statuses(changed)}; lists ${statuses(lists)}`;
    },
  },
];
