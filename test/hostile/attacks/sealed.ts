import { randomUUID } from 'node:crypto';

import { aRegisteredStatus } from '../../support/builders/a-legal-status.js';
import { aRecord } from '../../support/builders/a-record.js';
import type { Arena } from '../arena.js';
import { only, times } from '../arena.js';
import type { Attack } from '../attack.js';
import { sameTimes } from '../compared-times.js';

const ROUNDS = 1_500;
/** What a network hides a hundred times over, as a share of an answer. */
const NOISE_SHARE = 0.1;

async function aSealedRecord(arena: Arena) {
  const registered = aRegisteredStatus();
  const record = aRecord({
    status: 'REGISTERED',
    flags: ['sealed'],
    legalStatuses: { DECLARED: null, REGISTERED: registered },
  });
  const answer = await arena.post('/events/bulk-import', {
    listener: 'internal',
    token: await arena.issuer.token(),
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify(record)}\n`,
  });
  if (answer.status !== 200 || !answer.text.includes('"rejected":0')) throw new Error(`not imported: ${answer.text}`);
  return { record, number: registered.registrationNumber };
}

export const SEALED_ATTACKS: readonly Attack[] = [
  {
    attack: `${2 * ROUNDS} look-ups of a sealed record and of none, by turns, compared by their times`,
    act: async (arena) => {
      const { record, number } = await aSealedRecord(arena);
      const { client_id: sub } = await arena.client();
      const scope = ['type=record.search&flags.noneOf=sealed', 'type=record.read&flags.noneOf=sealed'];
      const token = await arena.issuer.token({ sub, userType: 'system', scope });
      const byNumber = (term: string) => ({
        clauses: [{ 'legalStatuses.REGISTERED.registrationNumber': { type: 'exact', term } }],
      });
      const byId = (id: string) => ({ clauses: [{ id }] });
      const told: string[] = [];
      for (const [how, sealed, absent] of [
        ['number', byNumber(number), byNumber('NOSUCHNUMBER')],
        ['id', byId(record.id), byId(randomUUID())],
      ] as const) {
        const ms: [number[], number[]] = [[], []];
        for (const at of times(2 * ROUNDS, (round) => (round % 2 === 0 ? 0 : 1))) {
          const answer = await arena.search({ token }, at === 0 ? sealed : absent);
          only([answer], [200]);
          if (answer.text !== '{"results":[],"total":0}') throw new Error(`it is there: ${answer.text.slice(0, 200)}`);
          ms[at].push(answer.ms);
        }
        told.push(`by ${how} ${sameTimes(...ms, NOISE_SHARE)}`);
      }
      return told.join('; ');
    },
  },
];
