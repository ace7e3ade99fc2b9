import type { Database } from '../../src/database/pools/database.js';
import type { EventAction } from '../../src/domain/record/event-action.js';
import type { EventRecord } from '../../src/domain/record/event-record.js';
import { parseEventRecord } from '../../src/records/parse/parse-event-record.js';
import type { IncomingEvent } from '../../src/records/prepare-event.js';
import { prepareEvent } from '../../src/records/prepare-event.js';
import { projectEvent } from '../../src/records/project/project-event.js';
import { recordBody } from '../../src/records/record-body.js';
import { recordRow } from '../../src/records/record-row.js';
import { retryingDeadlocks } from '../../src/records/store/retrying-deadlocks.js';
import type { WriteOutcome } from '../../src/records/store/write-records.js';
import { writeRecords } from '../../src/records/store/write-records.js';
import { sql } from '../../src/sql/sql.js';
import { aLegalStatus, aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { aTrackingId } from '../support/builders/a-tracking-id.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { anInstant } from '../support/builders/an-instant.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  ({ database } = test);
});

afterAll(() => test.drop());

const asRecord = (record: EventRecord): IncomingEvent => ({ kind: 'record', record });
const asDocument = (overrides: Parameters<typeof anEventDocument>[0] = {}) => ({
  kind: 'document' as const,
  document: anEventDocument(overrides),
});

const write = (...events: readonly IncomingEvent[]): Promise<readonly WriteOutcome[]> =>
  database.transaction((transaction) =>
    writeRecords(
      transaction,
      events.map((event) => prepareEvent(event)),
    ),
  );

const kinds = (outcomes: readonly WriteOutcome[]): readonly string[] => outcomes.map((outcome) => outcome.kind);

/** The stored record; undefined when there is no such event. */
async function stored(id: string): Promise<EventRecord | undefined> {
  const [row] = await database.query<{ body: string }>(
    sql`select body from event_document join event using (seq) where id = ${id}`,
  );
  const parsed = row && parseEventRecord(JSON.parse(row.body));
  return parsed?.kind === 'parsed' ? parsed.value : undefined;
}

const actionIds = async (id: string): Promise<readonly string[]> =>
  (
    await database.query<{ id: string }>(
      sql`select json_array_elements(actions::json) ->> 'id' as id
            from event_history join event on seq = event_seq where event.id = ${id} order by position`,
    )
  ).map((row) => row.id);

/** Which versions of an event's rows there are: they change with every write. */
const versions = (id: string) =>
  database.query<object>(
    sql`select event.xmin::text as event, event_search.xmin::text as search, event_document.xmin::text as document
          from event join event_search using (seq) join event_document using (seq) where event.id = ${id}`,
  );

const minute = (n: number) => anInstant(`2026-02-01T10:${String(n).padStart(2, '0')}:00Z`);

describe('writing a record', () => {
  it('fills every column that search reads', async () => {
    const record = aRecord({
      status: 'REGISTERED',
      legalStatuses: {
        DECLARED: aLegalStatus({ createdBy: 'd', createdByRole: 'D_ROLE', createdAtLocation: aUuid(0xd1) }),
        REGISTERED: aRegisteredStatus({ createdBy: 'r', createdByRole: 'R_ROLE', createdAtLocation: aUuid(0xd2) }),
      },
      createdByUserType: 'system',
      createdAtLocation: aUuid(0xd3),
      updatedAtLocation: aUuid(0xd4),
      assignedTo: 'a, "quoted" \\ {assignee}',
      flags: ['plain', 'with "quotes", commas, \\ and {braces}', 'NULL', ' '],
    });
    expect(await write(asRecord(record))).toEqual([{ kind: 'created', record, newActions: [], knownActions: [] }]);

    const [{ seq, terms, ...row } = { seq: '', terms: [] }] = await database.query<{ seq: string; terms: string[] }>(
      sql`select * from event_search where id = ${record.id}`,
    );
    const { DECLARED, REGISTERED } = record.legalStatuses;
    expect(row).toEqual({
      id: record.id,
      type: 'birth',
      status: 'REGISTERED',
      tracking_id: record.trackingId,
      created_at: new Date(record.createdAt),
      created_by: 'declarer',
      created_by_user_type: 'system',
      created_at_location: aUuid(0xd3),
      updated_at: new Date(record.updatedAt),
      updated_by: 'declarer',
      updated_by_user_role: 'FIELD_AGENT',
      updated_at_location: aUuid(0xd4),
      assigned_to: record.assignedTo,
      date_of_event: '2025-12-24',
      place_of_event: aUuid(0xa3),
      declared_created_at: new Date(DECLARED?.createdAt ?? 0),
      declared_created_by: 'd',
      declared_created_by_user_type: 'user',
      declared_created_at_location: aUuid(0xd1),
      declared_created_by_role: 'D_ROLE',
      declared_accepted_at: new Date(DECLARED?.acceptedAt ?? 0),
      registered_created_at: new Date(REGISTERED?.createdAt ?? 0),
      registered_created_by: 'r',
      registered_created_by_user_type: 'user',
      registered_created_at_location: aUuid(0xd2),
      registered_created_by_role: 'R_ROLE',
      registered_accepted_at: new Date(REGISTERED?.acceptedAt ?? 0),
      registration_number: REGISTERED?.registrationNumber,
      notified_created_by: null,
      notified_created_at_location: null,
      flags: record.flags,
    });
    const expected = recordRow({ record, notified: undefined });
    expect(`{${terms.join(',')}}`).toBe(expected.terms);
    expect(await database.query(sql`select body, facts from event_document where seq = ${seq}`)).toEqual([
      { body: recordBody(record), facts: JSON.parse(expected.facts) as unknown },
    ]);
  });

  it('writes nothing again that is there already', async () => {
    const record = aRecord();
    await write(asRecord(record));
    const before = await versions(record.id);
    expect(await write(asRecord(record))).toEqual([{ kind: 'unchanged' }]);
    expect(await versions(record.id)).toEqual(before);
  });

  it('writes the words of many records once, however often these change', async () => {
    const words = () =>
      database.query<{ word: string }>(sql`
        select word from fuzzy_word where word like '7700000%'
         union all select word from fuzzy_word_list, unnest(string_to_array(words, ' ')) as word where word like '7700000%'
         order by word`);
    const numbers = Array.from({ length: 20 }, (_, at) => String(7_700_000_000 + at));
    const records = numbers.map((nid) => aRecord({ declaration: { nid } }));
    await write(...records.map(asRecord));
    expect((await words()).map(({ word }) => word)).toEqual(numbers);
    await write(...records.map((record) => asRecord({ ...record, flags: ['changed'] })));
    expect((await words()).map(({ word }) => word)).toEqual(numbers);
    const another = { nid: '7700000099' };
    await write(...records.slice(0, 1).map((record) => asRecord({ ...record, declaration: another })));
    expect((await words()).map(({ word }) => word)).toEqual([...numbers, '7700000099']);
  });

  it('replaces what was there, tracking id and registration number included', async () => {
    const record = aRecord({ legalStatuses: { DECLARED: null, REGISTERED: aRegisteredStatus() } });
    const changed = {
      ...record,
      type: 'death',
      trackingId: aTrackingId(),
      legalStatuses: { DECLARED: null, REGISTERED: aRegisteredStatus() },
    };
    await write(asRecord(record));
    expect(await write(asRecord(changed))).toEqual([
      { kind: 'updated', record: changed, newActions: [], knownActions: [] },
    ]);
    expect(await stored(record.id)).toEqual(changed);
    expect(
      await database.query(sql`select id from event_search where registration_number = ${
        record.legalStatuses.REGISTERED?.registrationNumber
      }
                                union all select id from event where tracking_id = ${record.trackingId}`),
    ).toEqual([]);
  });

  it('leaves nothing behind when the transaction that it is part of fails', async () => {
    const record = aRecord();
    const failing = database.transaction(async (transaction) => {
      await writeRecords(transaction, [prepareEvent(asRecord(record))]);
      throw new Error('afterwards');
    });
    await expect(failing).rejects.toThrow('afterwards');
    expect(await database.query(sql`select id from event where id = ${record.id}`)).toEqual([]);
  });

  it('refuses an event that is given twice', async () => {
    const record = aRecord();
    await expect(write(asRecord(record), asRecord(record))).rejects.toThrow('an event is given twice');
  });
});

describe('writing an event document', () => {
  const notify = anAction({ type: 'NOTIFY', createdAt: minute(1), createdBy: 'hospital' });
  const declare = anAction({ type: 'DECLARE', createdAt: minute(2), declaration: { a: 1, b: 1 } });
  const edit = anAction({ type: 'CUSTOM', createdAt: minute(3), declaration: { b: null, c: [{ d: 'x' }] } });

  it('keeps the actions and stores their projection', async () => {
    const incoming = asDocument({ actions: [anAction(), notify, declare, edit] });
    const { document } = incoming;
    const { record } = projectEvent(document);
    expect(await write(incoming)).toEqual([
      { kind: 'created', record, newActions: document.actions, knownActions: [] },
    ]);
    expect(await stored(document.id)).toEqual(record);
    expect(await actionIds(document.id)).toEqual(document.actions.map((action) => action.id));
    expect(
      await database.query(
        sql`select notified_created_by, notified_created_at_location from event_search where id = ${document.id}`,
      ),
    ).toEqual([{ notified_created_by: 'hospital', notified_created_at_location: aUuid(0xa2) }]);
  });

  it('appends the actions that are new, and tells which they are', async () => {
    const create = anAction();
    const { document } = asDocument({ actions: [create, declare] });
    await write({ kind: 'document', document });
    const longer = { ...document, actions: [create, notify, declare, edit] };
    const { record } = projectEvent(longer);
    expect(await write({ kind: 'document', document: longer })).toEqual([
      { kind: 'updated', record, newActions: [notify, edit], knownActions: [create, declare] },
    ]);
    expect(await stored(document.id)).toEqual(record);
    expect(await actionIds(document.id)).toEqual([create.id, declare.id, notify.id, edit.id]);
  });

  it('loses nothing by a document with fewer actions, or with others', async () => {
    const create = anAction();
    const { document } = asDocument({ actions: [create, declare] });
    await write({ kind: 'document', document });
    const before = await versions(document.id);
    expect(await write({ kind: 'document', document: { ...document, actions: [create] } })).toEqual([
      { kind: 'unchanged' },
    ]);
    expect(await versions(document.id)).toEqual(before);

    await write({ kind: 'document', document: { ...document, actions: [edit] } });
    expect(await stored(document.id)).toEqual(projectEvent({ ...document, actions: [create, declare, edit] }).record);
  });

  it('does not change an action that is known by its id', async () => {
    const { document } = asDocument({ actions: [anAction(), declare] });
    await write({ kind: 'document', document });
    const [create] = document.actions;
    const other = { ...document, actions: [create, { ...declare, declaration: { a: 2 } }].flatMap((a) => a ?? []) };
    expect(await write({ kind: 'document', document: other })).toEqual([{ kind: 'unchanged' }]);
  });

  it('goes on from an imported record', async () => {
    const record = aRecord({ updatedAt: minute(0), flags: ['sealed'] });
    await write(asRecord(record));
    const { document } = asDocument({ ...record, actions: [notify, edit] });
    const expected = projectEvent(document, { record, actions: 0 }).record;
    expect(expected.flags).toEqual(['incomplete', 'sealed']);
    expect(await write({ kind: 'document', document })).toEqual([
      { kind: 'updated', record: expected, newActions: [notify, edit], knownActions: [] },
    ]);
    expect(await stored(record.id)).toEqual(expected);

    const register = anAction({ type: 'REGISTER', createdAt: minute(5), registrationNumber: 'R-5' });
    await write({ kind: 'document', document: { ...document, actions: [register] } });
    expect(await stored(record.id)).toEqual(
      projectEvent({ ...document, actions: [notify, edit, register] }, { record, actions: 0 }).record,
    );
  });

  it('is outdone by a record that is imported over it, from which later actions go on', async () => {
    const { document } = asDocument({ actions: [anAction(), notify, declare] });
    await write({ kind: 'document', document });
    const { id, trackingId } = document;
    const imported = aRecord({ id, trackingId, updatedAt: minute(0), status: 'REGISTERED', flags: ['sealed'] });
    expect(kinds(await write(asRecord(imported)))).toEqual(['updated']);
    expect(await stored(document.id)).toEqual(imported);
    expect(await database.query(sql`select notified_created_by from event_search where id = ${document.id}`)).toEqual([
      { notified_created_by: 'hospital' },
    ]);

    await write({ kind: 'document', document: { ...document, actions: [edit] } });
    expect(await stored(document.id)).toEqual({
      ...imported,
      updatedAt: minute(3),
      updatedBy: edit.createdBy,
      updatedByUserRole: edit.createdByRole,
      updatedAtLocation: edit.createdAtLocation,
      declaration: { ...imported.declaration, c: [{ d: 'x' }] },
    });
    expect(await actionIds(document.id)).toEqual([...document.actions.map((action) => action.id), edit.id]);
  });
});

describe('conflicts', () => {
  it('concern the one event alone whose tracking id another event has', async () => {
    const taken = aRecord();
    await write(asRecord(taken));
    const events = [aRecord(), aRecord({ trackingId: taken.trackingId }), aRecord(), aRecord()];
    expect(await write(...events.map(asRecord))).toEqual([
      { kind: 'created', record: events[0], newActions: [], knownActions: [] },
      { kind: 'conflict', on: 'trackingId' },
      { kind: 'created', record: events[2], newActions: [], knownActions: [] },
      { kind: 'created', record: events[3], newActions: [], knownActions: [] },
    ]);
    expect(await Promise.all(events.map((event) => stored(event.id)))).toEqual([
      events[0],
      undefined,
      events[2],
      events[3],
    ]);
  });

  it('are settled in favour of the first of two events with one registration number', async () => {
    const legalStatuses = { DECLARED: null, REGISTERED: aRegisteredStatus() };
    const [first, second] = [aRecord({ id: aUuid(0xf2), legalStatuses }), aRecord({ id: aUuid(0xf1), legalStatuses })];
    expect(await write(asRecord(first), asRecord(second))).toEqual([
      { kind: 'created', record: first, newActions: [], knownActions: [] },
      { kind: 'conflict', on: 'registrationNumber' },
    ]);
  });

  it('leave an event as it was', async () => {
    const [taken, record] = [aRecord(), aRecord()];
    await write(asRecord(taken), asRecord(record));
    expect(await write(asRecord({ ...record, trackingId: taken.trackingId, flags: ['changed'] }))).toEqual([
      { kind: 'conflict', on: 'trackingId' },
    ]);
    expect(await stored(record.id)).toEqual(record);
  });

  it('do not arise when a number is given up by one event and taken by the next', async () => {
    const legalStatuses = { DECLARED: null, REGISTERED: aRegisteredStatus() };
    const record = aRecord({ legalStatuses });
    await write(asRecord(record));
    const without = { ...record, legalStatuses: { DECLARED: null, REGISTERED: null } };
    expect(kinds(await write(asRecord(without), asRecord(aRecord({ legalStatuses }))))).toEqual(['updated', 'created']);
  });
});

describe('writers at the same time', () => {
  const inParallel = (...batches: readonly (readonly IncomingEvent[])[]) =>
    Promise.all(batches.map((batch) => retryingDeadlocks(() => write(...batch))));

  it('create an event once, whoever comes first', async () => {
    const records = Array.from({ length: 50 }, () => aRecord());
    const outcomes = await inParallel(
      records.map(asRecord),
      records.toReversed().map(asRecord),
      records.map(asRecord),
      records.toReversed().map(asRecord),
    );
    expect(kinds(outcomes.flat()).filter((kind) => kind === 'created')).toHaveLength(50);
    expect(kinds(outcomes.flat()).filter((kind) => kind === 'unchanged')).toHaveLength(150);
    expect(await Promise.all(records.map((record) => stored(record.id)))).toEqual(records);
  });

  it('append all of their actions to one event', async () => {
    const { document } = asDocument();
    await write({ kind: 'document', document });
    const added = Array.from({ length: 8 }, (_, n) => anAction({ type: 'CUSTOM', createdAt: minute(n) }));
    const outcomes = await inParallel(
      ...added.map((action): IncomingEvent[] => [
        { kind: 'document', document: { ...document, actions: [...document.actions, action] } },
      ]),
    );
    expect(outcomes.flat().flatMap((outcome) => ('newActions' in outcome ? outcome.newActions : []))).toEqual(added);
    expect((await actionIds(document.id)).toSorted()).toEqual(
      [...document.actions, ...added].map((action: EventAction) => action.id).toSorted(),
    );
    expect((await stored(document.id))?.updatedAt).toBe(minute(7));
  });

  it('get through a deadlock: one of them begins anew', async () => {
    const [one, two] = [aTrackingId(), aTrackingId()];
    const meeting = rendezvous(2);
    let attempts = 0;
    const writer = (first: string, last: string) =>
      retryingDeadlocks(() =>
        database.transaction(async (transaction) => {
          attempts += 1;
          const begun = await writeRecords(transaction, [prepareEvent(asRecord(aRecord({ trackingId: first })))]);
          await meeting();
          const ended = await writeRecords(transaction, [prepareEvent(asRecord(aRecord({ trackingId: last })))]);
          return kinds([...begun, ...ended]);
        }),
      );
    const outcomes = await Promise.all([writer(one, two), writer(two, one)]);
    expect(attempts).toBe(3);
    expect(outcomes.toSorted()).toEqual([
      ['conflict', 'conflict'],
      ['created', 'created'],
    ]);
  });
});

/** Resolves once it has been called `count` times. */
function rendezvous(count: number): () => Promise<void> {
  let open: () => void;
  const met = new Promise<void>((resolve) => (open = resolve));
  let missing = count;
  return () => {
    missing -= 1;
    if (missing === 0) open();
    return met;
  };
}
