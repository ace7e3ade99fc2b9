import { randomUUID } from 'node:crypto';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import type { Instant } from '../../src/kernel/domain/calendar.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { eventIdOf } from '../../src/events/operations/decisions/asked-action.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { anInstant } from '../support/builders/an-instant.js';
import { type EventProcess, eventProcess } from '../support/event-writers.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';

let test: TestDatabase;
let service: EventProcess;
beforeAll(async () => {
  test = await createTestDatabase();
  service = eventProcess(test.database);
});
afterAll(() => test.drop());

const registrar = () => ({
  caller: callerOf(
    { sub: 'registrar', userType: 'user', scope: ['record.create', 'record.read', 'record.declare'] },
    () => undefined,
  ),
  hungUp: new AbortController().signal,
});

describe('the time of a new action', () => {
  const AHEAD = anInstant('2126-01-01T00:00:00.000Z');
  const timeOnThe = (eventId: Uuid): Promise<Instant> =>
    service.writer.submit({ client: 'registrar', eventId, size: 1, decide: ({ now }) => ({ answer: now }) });

  it('is that of the action before, where a clock elsewhere is ahead', async () => {
    const document = anEventDocument({ actions: [anAction({ createdAt: AHEAD })] });
    await service.writer.submit({
      ...{ client: 'registrar', eventId: document.id, size: 1 },
      decide: () => ({ answer: undefined, change: { kind: 'create', document } }),
    });
    expect(await timeOnThe(document.id)).toBe(AHEAD);
  });

  it('is that of the last change of an imported record, where that is later', async () => {
    const record = aRecord({ updatedAt: AHEAD });
    await storeRecords(test.database, [record]);
    expect(await timeOnThe(record.id)).toBe(AHEAD);
  });
});

describe('a transactionId', () => {
  const create = (transactionId: string) => service.operations.create({ transactionId, type: 'birth' }, registrar());

  it('makes the event again whose draft was deleted with all that was done on it', async () => {
    const transactionId = randomUUID();
    const first = await create(transactionId);
    await service.operations.delete(eventIdOf(String(first.id)), registrar());
    const again = await create(transactionId);
    expect(again).toMatchObject({ id: first.id, actions: [{ type: 'CREATE' }, { type: 'ASSIGN' }] });
    const performed = await test.database.query(
      sql`select count(*)::int as count from performed_operation where event_id = ${first.id}`,
    );
    expect(performed).toEqual([{ count: 1 }]);
  });
});
