import type { Answer, Arena } from '../arena.js';
import { only, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';

/** A batch of searches whose inputs are all this envelope. */
async function batch(arena: Arena, calls: number, envelope: object): Promise<Answer> {
  const { token } = await arena.client();
  const names = times(calls, () => 'event.search').join(',');
  const body = JSON.stringify(Object.fromEntries(times(calls, (at) => [at, envelope])));
  return arena.post(`/trpc/${names}?batch=1`, { token, body, listener: 'internal' });
}

export const TRPC_ATTACKS: readonly Attack[] = [
  {
    attack: 'envelopes of tRPC that say: an array of 50,000,000, a set of 40,000 with its members named',
    act: async (arena) => {
      const members = times(40_000, (at) => at);
      const named = Object.fromEntries(members.slice(0, 25_000).map((at) => [`a.${39_999 - at}`, ['undefined']]));
      const answers = [
        await batch(arena, 20, { json: { a: 5e7 }, meta: { values: { a: [['typed-array', 'Uint8Array']] } } }),
        await batch(arena, 1, { json: { a: members }, meta: { values: { a: ['set'], ...named } } }),
      ];
      only(answers, [400]);
      return statuses(answers);
    },
  },
  {
    attack: '20 batches of 20 costliest searches each, by tRPC, at once',
    act: async (arena) => {
      const terms = times(500, (at) => `Name ${at}`);
      const clauses = times(2, () => ({ data: { 'child.name': { type: 'anyOf', terms } } }));
      const envelope = { json: { query: { type: 'or', clauses } } };
      const answers = await Promise.all(times(20, () => batch(arena, 20, envelope)));
      only(answers, [200, 207, 503]);
      return statuses(answers);
    },
  },
];
