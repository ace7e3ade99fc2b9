import { only, some, statuses, texts, times } from '../arena.js';
import type { Answer, Arena, AttackingClient } from '../arena.js';
import type { Attack } from '../attack.js';

const count = (arena: Arena, client: AttackingClient, query: () => object, signal?: AbortSignal): Promise<Answer> => {
  const body = { queries: times(100, () => ({ query: query() })) };
  return arena.post('/events/search/counts', { token: client.token, body, ...(signal !== undefined && { signal }) });
};

const names = (many: number): object => ({ data: { 'child.name': { type: 'anyOf', terms: texts(many) } } });

export const COUNT_ATTACKS: readonly Attack[] = [
  {
    attack: '100 totals of 20 names each, 100 times at once, half of them hung up on',
    act: async (arena) => {
      const client = await arena.client();
      const wide = () => ({ clauses: [names(20)] });
      const [stays, left] = await Promise.all([
        Promise.all(times(50, () => count(arena, client, wide))),
        Promise.all(times(50, (at) => count(arena, client, wide, AbortSignal.timeout(50 + 10 * at)))),
      ]);
      only(stays, [200, 503]);
      some(stays, 200);
      return `${statuses(stays)}; ${left.filter(({ status }) => status === 0).length} hung up`;
    },
  },
  {
    attack: '100 totals of all records, and 100 of none, 200 times each at once',
    act: async (arena) => {
      const client = await arena.client();
      const all = () => ({ clauses: [{ eventType: 'birth' }] });
      const none = () => ({ clauses: [{ trackingId: { type: 'exact', term: 'NOSUCH' } }] });
      const answers = await Promise.all(times(400, (at) => count(arena, client, at % 2 === 0 ? all : none)));
      only(answers, [200, 503]);
      some(answers, 200);
      return statuses(answers);
    },
  },
  {
    attack: '101 totals, 100 over the budget, and 100 ranges on any field, 50 times at once',
    act: async (arena) => {
      const client = await arena.client();
      const range = () => ({ clauses: [{ data: { type: 'range', gte: 'a', lte: 'b' } }] });
      const tooMany = { queries: times(101, () => ({ query: { clauses: [{ eventType: 'birth' }] } })) };
      const answers = await Promise.all(
        times(50, async () => [
          await arena.post('/events/search/counts', { token: client.token, body: tooMany }),
          await count(arena, client, () => ({ clauses: [names(21)] })),
          await count(arena, client, range),
        ]),
      );
      only(answers.flat(), [400, 503]);
      some(answers.flat(), 400);
      return statuses(answers.flat());
    },
  },
];
