import { randomUUID } from 'node:crypto';

import { birth, certifiedBirth } from '../deliveries/birth.js';
import { notificationOf } from '../notified-births.js';
import type { Program, RequestKind } from './program.js';

/** Who corrects records; builds from before there were users have none. */
const CORRECTING = ['record.search', 'record.read', 'record.correct', 'record.edit'];

/** The writes that the comparison asks for, each of one event. Those of another `run` are of other events. */
export function writeKinds(run: string): readonly RequestKind[] {
  return [
    {
      name: 'trigger of a new event',
      count: 1_000,
      ask: ({ service }, number) => service.trigger(birth(run, number)),
    },
    {
      name: 'trigger of a known event',
      count: 1_000,
      prepare: ({ service }, number) => service.trigger(birth(`K${run}`, number)),
      ask: ({ service }, number) => service.trigger(certifiedBirth(`K${run}`, number)),
    },
    {
      name: 'creation and notification in one',
      count: 1_000,
      ask: ({ service, client }, number) => service.notify(client, notificationOf(number)),
    },
    {
      name: 'notification of a draft',
      count: 1_000,
      prepare: async (program, number) => {
        const { service, client } = program;
        const { createdAtLocation } = notificationOf(number);
        const draft = { transactionId: randomUUID(), type: 'birth', createdAtLocation };
        program.keep(number, await service.act(client.token, '/events', draft));
      },
      ask: async (program, number) => {
        const { transactionId, createdAtLocation, declaration } = notificationOf(number);
        const body = { transactionId, createdAtLocation, declaration };
        await program.service.act(program.client.token, `/events/${program.kept(number).id}/notify`, body);
      },
    },
    {
      name: 'request of a correction',
      count: 500,
      prepare: (program, number) => assignedBirth(program, `R${run}`, number),
      ask: async (program, number) => {
        await act(program, idOf(`R${run}`, number), 'correction/request', CORRECTION);
      },
    },
    {
      name: 'approval of a correction',
      count: 500,
      prepare: async (program, number) => {
        await assignedBirth(program, `A${run}`, number);
        const id = idOf(`A${run}`, number);
        program.keep(number, await act(program, id, 'correction/request', CORRECTION));
        await act(program, id, 'actions/assign');
      },
      ask: async (program, number) => {
        const requestId = program.kept(number).actions.find(({ type }) => type === 'REQUEST_CORRECTION')?.id;
        await act(program, idOf(`A${run}`, number), 'correction/approve', { requestId });
      },
    },
  ];
}

const CORRECTION = { declaration: { 'child.gender': 'male' } };

const idOf = (run: string, number: number): string => birth(run, number).id;

async function assignedBirth(program: Program, run: string, number: number): Promise<void> {
  await program.service.trigger(birth(run, number));
  await act(program, idOf(run, number), 'actions/assign');
}

/** An action of the user who corrects; yields the event. */
async function act(program: Program, id: string, path: string, body: object = {}): Promise<string> {
  const token = await program.userToken(CORRECTING);
  return program.service.act(token, `/events/${id}/${path}`, { transactionId: randomUUID(), ...body });
}
