import { TERMS } from '../support/terms.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import { creationOf } from '../../src/events/records/event-change.js';
import { parseEventRecord } from '../../src/events/records/parse-event-record.js';
import { recordBody, recordRow } from '../../src/events/records/record-row.js';
import { writeContents, writeEvents } from '../../src/events/records/write-changes.js';
import { writeRecords } from '../../src/events/records/write-records.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aLegalStatus, aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { aTrackingId } from '../support/builders/a-tracking-id.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { prepareEvent } from '../support/prepare-event.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';
import { asRecord, kinds, writing } from '../support/written-records.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  ({ database } = test);
});

afterAll(() => test.drop());

const { stored, versions, write } = writing(() => database);

/** So many digits in no order, which PostgreSQL cannot compress by much. */
function digitsIn(count: number): string {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 10;
  }).join('');
}

/** The longest text, of characters that take four bytes each, in no order. */
const longest = (first: number): string => {
  const points = Array.from({ length: 256 }, (_, at) => 0x20000 + ((first + at * 7_919) % 42_000));
  return String.fromCodePoint(...points);
};

describe('writing a record', () => {
  it('indexes the longest text in each of its members', async () => {
    const by = { createdBy: longest(1), createdByRole: longest(2) };
    const record = aRecord({
      type: longest(3),
      legalStatuses: {
        DECLARED: aLegalStatus(by),
        REGISTERED: aRegisteredStatus({ ...by, registrationNumber: longest(4) }),
      },
      createdBy: longest(5),
      updatedByUserRole: longest(6),
      assignedTo: longest(7),
      updatedBy: longest(8),
      trackingId: longest(9),
      potentialDuplicates: [{ id: aUuid(), trackingId: longest(10) }],
      flags: [longest(11), longest(12)],
    });
    expect(parseEventRecord(JSON.parse(recordBody(record)))).toEqual({ kind: 'parsed', value: record });
    expect(kinds(await write(asRecord(record)))).toEqual(['created']);
  });

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
    const expected = recordRow({ record, notified: undefined }, TERMS);
    expect(`{${terms.join(',')}}`).toBe(expected.terms);
    expect(await database.query(sql`select body from event_document where seq = ${seq}`)).toEqual([
      { body: `${recordBody(record)}\n${expected.facts}` },
    ]);
  });

  it('writes nothing again that is there already', async () => {
    const record = aRecord();
    await write(asRecord(record));
    const before = await versions(record.id);
    expect(await write(asRecord(record))).toEqual([{ kind: 'unchanged' }]);
    expect(await versions(record.id)).toEqual(before);
  });

  it('takes a number and an e-mail address of any length, in bulk too', async () => {
    const digits = digitsIn(9_000);
    const declarations = [
      { nid: digits.slice(0, 3_000) },
      { email: `${digits}@post.example` },
      ...Array.from({ length: 20 }, (_, at) => ({ nid: digits.slice(at) })),
    ];
    const records = declarations.map((declaration) => aRecord({ declaration }));
    expect(kinds(await write(...records.map(asRecord)))).toEqual(records.map(() => 'created'));
  });

  it('writes its words also where the ids of their paths are forgotten meanwhile, as they are when they are many', async () => {
    const known = new Map<string, number>();
    for (const nickname of ['Bwalya', 'Chola']) {
      const record = aRecord({ trackingId: aTrackingId(), declaration: { 'child.nickname': nickname } });
      await database.transaction(async (transaction) => {
        const written = await writeEvents(
          transaction,
          [creationOf(prepareEvent(asRecord(record), WITHOUT_FORMS))],
          known,
        );
        known.clear();
        await writeContents(transaction, written);
        for (const [name, id] of written.pathIds) known.set(name, id);
      });
    }
    const words = await database.query<{ word: string }>(
      sql`select word from fuzzy_word join fuzzy_path on id = path_id where path = 'data/child.nickname' order by word`,
    );
    expect(words).toEqual([{ word: 'bwalya' }, { word: 'chola' }]);
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
      await writeRecords(transaction, [prepareEvent(asRecord(record), WITHOUT_FORMS)]);
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

  it('are told of in order, and with nothing behind an event that is left for another transaction', async () => {
    const taken = aRecord();
    await write(asRecord(taken));
    const events = [aRecord({ trackingId: taken.trackingId }), ...Array.from({ length: 7 }, () => aRecord())];
    const prepared = events.map((record) => prepareEvent(asRecord(record), WITHOUT_FORMS));
    // More is derived of each event than may be of all: one is written at a time.
    const outcomes = await database.transaction((transaction) =>
      writeRecords(transaction, prepared, { pendingTerms: '64kB', mostDerived: 1 }),
    );
    expect(outcomes).toEqual([
      { kind: 'conflict', on: 'trackingId' },
      { kind: 'created', record: events[1], newActions: [], knownActions: [] },
      { kind: 'created', record: events[2], newActions: [], knownActions: [] },
    ]);
    const written = await Promise.all(events.map(({ id }) => stored(id)));
    expect(written).toEqual(events.map((event, at) => (at === 1 || at === 2 ? event : undefined)));
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
