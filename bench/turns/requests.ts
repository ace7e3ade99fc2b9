import { randomUUID } from 'node:crypto';

import { birth } from '../deliveries/birth.js';
import { notificationOf } from '../notified-births.js';
import type { Draws } from '../search/query-kinds.js';
import { QUERY_KINDS } from '../search/query-kinds.js';
import type { Program } from './program.js';

/** A kind of request, and how many of it make a round. */
export interface RequestKind {
  readonly name: string;
  readonly count: number;
  /** What one program is asked the n-th time. */
  readonly ask: (program: Program, number: number) => Promise<void>;
}

const LOOK_UPS = ['01', '02', '03', '13'];
const DRAWN = 500;

/**
 * What the comparison asks, drawn from the records that the database was filled with. Searches are a system client's,
 * which are audited, or an administrator's, which are not.
 */
export function requestKinds(draws: Draws, asAdministrator: boolean): readonly RequestKind[] {
  const searches = QUERY_KINDS.map(({ name, draw }): RequestKind => {
    const bodies = Array.from({ length: DRAWN }, () => ({ query: draw(draws) }));
    return {
      name,
      count: LOOK_UPS.some((key) => name.startsWith(key)) ? 3_000 : 400,
      ask: ({ service, client }, number) =>
        service.search(asAdministrator ? service.administrator : client, bodies[number % DRAWN] ?? {}),
    };
  });
  const run = Math.random().toString(36).slice(2, 5).toUpperCase();
  return [
    ...searches,
    {
      name: 'trigger',
      count: 1_000,
      ask: ({ service }, number) => service.trigger(birth(run, number)),
    },
    {
      name: 'notification',
      count: 1_000,
      ask: ({ service, client }, number) => service.notify(client, notificationOf(number)),
    },
    {
      name: 'registration and its correction, five operations',
      count: 150,
      ask: async (program, number) => {
        const { service } = program;
        const token = await program.userToken();
        await service.trigger(birth(`C${run}`, number));
        const { id } = birth(`C${run}`, number) as { readonly id: string };
        const act = (path: string, body: object = {}): Promise<string> =>
          service.act(token, `/events/${id}/${path}`, { transactionId: randomUUID(), ...body });
        await act('actions/assign');
        const requested = await act('correction/request', { declaration: { 'child.gender': 'male' } });
        await act('actions/assign');
        const { actions } = JSON.parse(requested) as {
          readonly actions: readonly { readonly id: string; readonly type: string }[];
        };
        const requestId = actions.find(({ type }) => type === 'REQUEST_CORRECTION')?.id;
        await act('correction/approve', { requestId });
      },
    },
  ];
}
