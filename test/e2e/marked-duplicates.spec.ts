import { randomUUID } from 'node:crypto';
import { LIFE_CYCLE } from '../../src/kernel/domain/life-cycle/life-cycle.js';
import { OFFICE } from '../support/areas.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { type AnsweredEvent, type EventCaller, eventCaller, startEventService } from '../support/event-service.js';
import { storeRecords } from '../support/store-records.js';

let running: Awaited<ReturnType<typeof startEventService>>;
let registrar: EventCaller;
beforeAll(async () => {
  running = await startEventService();
  const ofActions = Object.values(LIFE_CYCLE).flatMap(({ permissions }) => permissions);
  registrar = await registrarWith('record.create', ...ofActions);
});
afterAll(() => running.stop());

const registrarWith = async (...scope: readonly string[]): Promise<EventCaller> => {
  const { service } = running;
  const token = await service.issuer.token({ sub: 'registrar', userType: 'user', scope, office: OFFICE });
  return eventCaller(service, token);
};

const tx = () => ({ transactionId: randomUUID() });
const drafted = async (): Promise<string> => (await registrar.post('', { ...tx(), type: 'birth' })).event.id;

async function acted(id: string, path: string, more: object = {}): Promise<AnsweredEvent> {
  const answered = await registrar.post(`/${id}/${path}`, { ...tx(), keepAssignment: true, ...more });
  expect([path, answered.status, answered.message]).toEqual([path, 200, undefined]);
  return answered.event;
}

async function declared(declaration: object): Promise<string> {
  const id = await drafted();
  await acted(id, 'actions/declare', { declaration });
  return id;
}

const LETTERS = 'abcdefghijklmnoprstu';
const A_BIRTH = {
  'child.name': { firstname: 'Chanda', surname: 'Banda' },
  'child.dob': '2026-02-20',
  'mother.nid': 'M1',
};

it('a mark as a duplicate names another record, of which the caller may know', async () => {
  const sealed = await declared({
    ...A_BIRTH,
    'mother.nid': 'M2',
    'child.name': { firstname: 'Bwalya', surname: 'Phiri' },
  });
  for (const path of ['actions/register', 'actions/custom/SEAL']) await acted(sealed, path);
  await declared(A_BIRTH);
  const id = await declared(A_BIRTH);
  const clerk = await registrarWith('record.review-duplicates', 'type=record.read&flags.noneOf[]=sealed');
  const marked = (by: EventCaller, duplicateOf: string) =>
    by.post(`/${id}/actions/mark-as-duplicate`, { ...tx(), content: { duplicateOf } });
  const answers = [
    await marked(registrar, id),
    await marked(registrar, aUuid()),
    await marked(registrar, await drafted()),
    await marked(clerk, sealed),
  ];
  const refused = [
    400,
    'Input validation failed',
    [{ message: 'content.duplicateOf: must be the id of another record' }],
  ];
  expect(answers.map(({ status, message, issues }) => [status, message, issues])).toEqual(answers.map(() => refused));
  const once = { ...tx(), content: { duplicateOf: sealed.toUpperCase() } };
  const { status, event } = await registrar.post(`/${id}/actions/mark-as-duplicate`, once);
  const mark = event.actions.find(({ type }) => type === 'MARK_AS_DUPLICATE');
  expect([status, mark?.content]).toEqual([200, { duplicateOf: sealed }]);
  // It was done, whatever he may know of now.
  expect(await clerk.post(`/${id}/actions/mark-as-duplicate`, once)).toMatchObject({ status: 200 });
});

it('a duplicate with the whole name is found after a hundred earlier births that share one word of it (E-9)', async () => {
  const birth = { 'child.dob': '2025-03-01', 'mother.nid': 'M3' };
  const surnames = Array.from(
    { length: 101 },
    (_, at) => `Q${LETTERS[at % 20] ?? ''}${LETTERS[Math.floor(at / 20)] ?? ''}xxyyzz`,
  );
  const others = surnames.map((surname) =>
    aRecord({ declaration: { ...birth, 'child.name': { firstname: 'Thandiwe', surname } } }),
  );
  await storeRecords(running.database.database, others);
  const same = { ...birth, 'child.name': { firstname: 'Thandiwe', surname: 'Mwanawasa' } };
  const first = await declared(same);
  const { actions } = (await registrar.get(await declared(same))).event;
  const detected = actions.find(({ type }) => type === 'DUPLICATE_DETECTED');
  expect(detected?.content).toMatchObject({ duplicates: [{ id: first }] });
});
