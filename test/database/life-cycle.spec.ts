import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import { readEventTypes } from '../../src/platform/config/read-event-configuration.js';
import { EventConfiguration } from '../../src/kernel/domain/event-configuration/event-configuration.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import {
  AcceptDto,
  askedAcceptance,
  askedRejection,
  RejectDto,
} from '../../src/events/confirmation/asked-confirmation.js';
import { askedAction } from '../../src/events/operations/decisions/asked-action.js';
import { importRecords } from '../../src/events/import/import-records.js';
import type { EventWriter } from '../../src/events/write/event-writer.js';
import { eventDocumentView } from '../../src/events/records/history-bounds.js';
import { recordBody } from '../../src/events/records/record-row.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { eventProcess } from '../support/event-writers.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { actionsOf, type Step, steps } from '../support/random-life.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const example = readEventTypes(readFileSync('examples/event-configuration.json', 'utf8'));
if (example.kind === 'faulty') throw new Error('the example is faulty');
const CONFIGURED = new EventConfiguration(['birth', 'death', 'marriage'], example.value);

let lived: TestDatabase;
let replayed: TestDatabase;
beforeEach(async () => {
  [lived, replayed] = [await createTestDatabase(), await createTestDatabase()];
});
afterEach(async () => {
  await lived.drop();
  await replayed.drop();
});

async function take(writer: EventWriter, eventId: Uuid, step: Step): Promise<void> {
  await writer.submit({
    ...{ client: 'random', eventId, size: 1 },
    decide: ({ event, now }) => {
      if (event === undefined) throw new Error('there is no such event');
      const actions = actionsOf(step, event.document, event.record, now);
      return { answer: undefined, change: { kind: 'append', actions } };
    },
  });
}

/** Everything that searches read of events, in the order of their ids. */
const derivedIn = ({ database }: TestDatabase) =>
  database.query(sql`
    select to_jsonb(event_search) - 'seq' - 'terms' as columns,
           array(select unnest(terms)::text order by 1) as terms, body
      from event_search join event_document using (seq) order by event_search.id`);

describe.each([
  ['without forms', WITHOUT_FORMS],
  ['with the example’s configuration', CONFIGURED],
] as const)('a random course of allowed actions, %s', (_, configuration) => {
  it('leaves what a replay from nothing derives: record, search row, terms and document', async () => {
    const { writer } = eventProcess(lived.database, configuration);
    const lines: object[] = [];
    await fc.assert(
      fc.asyncProperty(steps(4), async (course) => {
        const documents = ['birth', 'death'].map((type) => anEventDocument({ type, id: aUuid() }));
        for (const document of documents) {
          const change = { kind: 'create', document } as const;
          const command = { client: 'random', eventId: document.id, size: 1 };
          await writer.submit({ ...command, decide: () => ({ answer: undefined, change }) });
        }
        const imported = [
          aRecord({ id: aUuid(), flags: ['incomplete', 'late-registration', 'imported'] }),
          aRecord({ id: aUuid(), status: 'REGISTERED', flags: ['sealed'] }),
        ];
        await importRecords(lived.database, configuration, ndjson(imported));
        lines.push(...imported.map((record) => JSON.parse(recordBody(record)) as object));
        const ids = [...documents, ...imported].map(({ id }) => id);
        for (const step of course) await take(writer, ids[step.event] ?? aUuid(0), step);
        for (const eventId of ids) {
          const document = await writer.submit({
            ...{ client: 'random', eventId, size: 1 },
            decide: ({ event }) => ({ answer: event?.document }),
          });
          if (document?.actions.some(({ type }) => type !== 'CREATE')) lines.push(eventDocumentView(document));
        }
        expect(await checkDerived(lived.database, configuration)).toMatchObject({ differences: [] });
      }),
      { numRuns: 3 },
    );
    const result = await importRecords(replayed.database, configuration, ndjson(lines));
    expect(result.faults).toEqual([]);
    const ids = (await lived.database.query<{ id: string }>(sql`select id from event_search`)).map(({ id }) => id);
    await replayed.database.query(sql`delete from event where not (id = any (${ids}::uuid[]))`);
    expect(await derivedIn(replayed)).toEqual(await derivedIn(lived));
  });
});

it('keeps an imported record that is read first, and then changed', async () => {
  const { operations } = eventProcess(lived.database);
  const record = aRecord({ id: aUuid(), status: 'REGISTERED', flags: ['certified'] });
  await importRecords(lived.database, WITHOUT_FORMS, ndjson([record]));
  const caller = callerOf({ sub: 'registrar', userType: 'user', scope: ['record.read', 'record.correct'] }, () => null);
  const registrar = { caller, hungUp: new AbortController().signal };
  await operations.read(record.id, registrar);
  await operations.act(record.id, askedAction('ASSIGN', { transactionId: 'one' }), registrar);
  const [row] = await lived.database.query(sql`select status, flags, assigned_to as "assignedTo" from event_search`);
  expect(row).toEqual({ status: 'REGISTERED', flags: ['certified'], assignedTo: 'registrar' });
  expect(await checkDerived(lived.database, WITHOUT_FORMS)).toEqual({ events: 1, differences: [] });
});

it('ends a correction of which an imported record has only the flag', async () => {
  const { operations } = eventProcess(lived.database);
  const flags = ['correction-requested', 'certified'];
  const record = aRecord({ id: aUuid(), status: 'REGISTERED', flags, assignedTo: 'registrar' });
  await importRecords(lived.database, WITHOUT_FORMS, ndjson([record]));
  const caller = callerOf({ sub: 'registrar', userType: 'user', scope: ['record.correct'] }, () => null);
  const registrar = { caller, hungUp: new AbortController().signal };
  const elsewhere = { transactionId: 'one', requestId: aUuid(), keepAssignment: true };
  await expect(
    operations.act(record.id, askedAction('APPROVE_CORRECTION', elsewhere), registrar),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const content = { reason: 'unknown here' };
  await operations.act(record.id, askedAction('REJECT_CORRECTION', { ...elsewhere, content }), registrar);
  const [row] = await lived.database.query(sql`select status, flags from event_search`);
  expect(row).toEqual({ status: 'REGISTERED', flags: ['certified'] });
  expect(await checkDerived(lived.database, WITHOUT_FORMS)).toEqual({ events: 1, differences: [] });
});

it('ends a request of which an imported record has only the flag', async () => {
  const process = eventProcess(lived.database);
  const flags = ['register:requested', 'certified'];
  const record = aRecord({ id: aUuid(), status: 'DECLARED', flags, assignedTo: null });
  await importRecords(lived.database, WITHOUT_FORMS, ndjson([record]));
  const scope = ['record.action.accept', 'record.action.reject'];
  const caller = callerOf({ sub: 'country', userType: 'system', scope }, () => null);
  const asker = { caller, hungUp: new AbortController().signal };
  const path = { eventId: record.id, type: 'REGISTER' } as const;
  const content = { reason: 'unknown here' };
  const body = Object.assign(new RejectDto(), { eventId: record.id, transactionId: 'one', content });
  const accepting = process.confirmations.confirm(
    askedAcceptance(path, Object.assign(new AcceptDto(), { eventId: record.id, transactionId: 'one' })),
    asker,
  );
  await expect(accepting).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const editing = process.confirmations.confirm(askedRejection({ ...path, type: 'EDIT' }, body), asker);
  await expect(editing).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const rejection = askedRejection(path, body);
  await process.confirmations.confirm(rejection, asker);
  await process.confirmations.confirm(rejection, asker);
  const [row] = await lived.database.query(sql`select status, flags from event_search`);
  expect(row).toEqual({ status: 'DECLARED', flags: ['register:rejected', 'certified'] });
  expect(await checkDerived(lived.database, WITHOUT_FORMS)).toEqual({ events: 1, differences: [] });
});

it('stores a user’s role with what he does', async () => {
  const { operations } = eventProcess(lived.database);
  const scope = ['record.create', 'record.declare'];
  const caller = callerOf({ sub: 'registrar', userType: 'user', scope }, () => null);
  const registrar = { caller: { ...caller, role: 'REGISTRAR' }, hungUp: new AbortController().signal };
  const { id } = await operations.create({ transactionId: 'one', type: 'birth' }, registrar);
  await operations.act(id as Uuid, askedAction('DECLARE', { transactionId: 'two' }), registrar);
  const [row] = await lived.database.query(sql`
    select updated_by_user_role as updated, declared_created_by_role as declared from event_search`);
  expect(row).toEqual({ updated: 'REGISTRAR', declared: 'REGISTRAR' });
});
