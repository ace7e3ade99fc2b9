import { randomInt } from 'node:crypto';

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
    before: 'the process died: 5,000 lists were made before room was asked for',
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
    before: 'half were answered; all lists of a batch were read and written at once, whatever their size',
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
    before: 'look-ups: p50 7 ms → 5.9 s where there are tens of thousands of places; here as now',
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
    before: 'look-ups: p99 3 ms → 0.36 s, and 19 in the time of 209',
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
];
