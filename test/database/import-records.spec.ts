import { KIB, MIB } from '../../src/kernel/domain/bytes.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import { demoRecords } from '../../demo/demo-records.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import type { ImportOptions } from '../../src/events/import/import-options.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { recordBody } from '../../src/events/records/record-row.js';
import { sentInBinary, sql } from '../../src/kernel/sql/sql.js';
import { aCalendarDate } from '../support/builders/a-calendar-date.js';
import { aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { eventually } from '../support/eventually.js';
import { bodiesIn, inOrder, runImport, someRecords } from '../support/imports.js';
import { inChunks, ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  ({ database } = test);
});

beforeEach(() => database.query(sql`delete from event`));

afterAll(() => test.drop());

const bodies = (from = database): Promise<readonly string[]> => bodiesIn(from);
const run = (lines: readonly unknown[], options?: ImportOptions) => runImport(database, lines, options);

describe('importing records', () => {
  it('counts what is new and what was there', async () => {
    const records = someRecords(3);
    expect((await run(records.slice(0, 2))).result).toEqual({ imported: 2, updated: 0, rejected: 0, faults: [] });
    expect((await run(records)).result).toEqual({ imported: 1, updated: 2, rejected: 0, faults: [] });
    expect(await bodies()).toEqual(inOrder(records));
  });

  it('imports nothing from an empty stream', async () => {
    expect((await run([])).result).toEqual({ imported: 0, updated: 0, rejected: 0, faults: [] });
  });

  it('takes a byte order mark, CRLF, blank lines and a last line without an end', async () => {
    const records = someRecords(2);
    const [first, second] = records.map((record) => JSON.stringify(record));
    const source = inChunks(Buffer.from(`\ufeff\r\n${first ?? ''}\r\n   \n\n${second ?? ''}`), 7);
    expect(await importRecords(database, WITHOUT_FORMS, source)).toEqual({
      imported: 2,
      updated: 0,
      rejected: 0,
      faults: [],
    });
    expect(await bodies()).toEqual(inOrder(records));
  });

  it('rejects lines that are no events, and imports the others', async () => {
    const records = someRecords(2);
    const hostile = [
      '{"id":',
      'null',
      '[]',
      '"text"',
      '{"__proto__":{"actions":[]}}',
      '{"id":"x","actions":"none"}',
      JSON.stringify({ ...aRecord(), declaration: { 'a\u0000': 1 } }),
      '['.repeat(100_000),
    ];
    const { result, rejected } = await run([records[0], ...hostile, records[1]]);
    expect(result).toMatchObject({ imported: 2, updated: 0, rejected: hostile.length });
    expect(rejected.map(({ line, text }) => ({ line, text }))).toEqual(
      hostile.map((text, at) => ({ line: at + 2, text })),
    );
    expect(await bodies()).toEqual(inOrder(records));
  });

  it('rejects a line that is no UTF-8 or too long, and goes on behind it', async () => {
    const record = aRecord();
    const lines = [Buffer.from([0x22, 0xff, 0x22]), Buffer.alloc(2 * MIB, 'x'), JSON.stringify(record)];
    const source = inChunks(Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])), 1_000_000);
    expect(await importRecords(database, WITHOUT_FORMS, source)).toEqual({
      imported: 1,
      updated: 0,
      rejected: 2,
      faults: [
        { line: 1, issues: [{ message: 'body: must be UTF-8' }] },
        { line: 2, issues: [{ message: 'body: must not be longer than 1048576 bytes' }] },
      ],
    });
  });

  it('names the first hundred faults, and tells of all of them in the order of the lines', async () => {
    const lines = Array.from({ length: 700 }, (_, at) => (at % 2 === 0 ? aRecord() : { id: `bad ${at}` }));
    const { result, rejected } = await run(lines);
    expect(result).toMatchObject({ imported: 350, rejected: 350 });
    expect(rejected.map((each) => each.line)).toEqual(Array.from({ length: 350 }, (_, at) => 2 * at + 2));
    expect(result.faults).toEqual(rejected.slice(0, 100).map(({ line, id, issues }) => ({ line, id, issues })));
  });

  it('takes the last of the lines that have one id, near or far', async () => {
    const [near, far, document] = [aRecord(), aRecord(), anEventDocument({ actions: [anAction()] })];
    const changed = (record: EventRecord, flag: string) => ({ ...record, flags: [flag] });
    const declared = { ...document, actions: [...document.actions, anAction({ type: 'DECLARE' })] };
    const { result } = await run([
      ...[near, changed(near, 'second'), changed(near, 'last')],
      ...[changed(far, 'first'), document],
      ...someRecords(600),
      ...[far, declared],
    ]);
    expect(result).toEqual({ imported: 603, updated: 4, rejected: 0, faults: [] });
    const stored = await bodies();
    expect(stored).toContain(recordBody(changed(near, 'last')));
    expect(stored).toContain(recordBody(far));
    expect(stored.filter((body) => body.includes(`"id":"${document.id}"`))).toEqual([
      expect.stringContaining('"status":"DECLARED"'),
    ]);
  });

  it('takes an id that earlier lines had in vain', async () => {
    const [taken, record] = [aRecord(), aRecord()];
    const conflicting = { ...record, trackingId: taken.trackingId };
    const { result } = await run([taken, { ...record, type: 7 }, conflicting, conflicting, record, conflicting]);
    expect(result).toEqual({
      imported: 2,
      updated: 0,
      rejected: 4,
      faults: [
        expect.objectContaining({ line: 2 }),
        ...[3, 4, 6].map((line) => ({
          line,
          id: record.id,
          issues: [{ message: 'trackingId: is that of another event' }],
        })),
      ],
    });
    expect(await bodies()).toContain(recordBody(record));
  });

  it('rejects a registration number that another event has', async () => {
    const legalStatuses = { DECLARED: null, REGISTERED: aRegisteredStatus() };
    const [first, second] = [aRecord({ legalStatuses }), aRecord({ legalStatuses })];
    const message = 'legalStatuses.REGISTERED.registrationNumber: is that of another event';
    expect((await run([first, second])).result.faults).toEqual([{ line: 2, id: second.id, issues: [{ message }] }]);
  });

  it('tells how far it is, and comes to the end of the stream', async () => {
    const lines = someRecords(600).map((record) => JSON.stringify(record));
    const told: unknown[] = [];
    await run(lines, { onProgress: (progress) => told.push(progress) });
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual({ bytes: Buffer.byteLength(lines.join('\n')), records: 600 });
  });

  it('waits for whoever keeps the rejected lines', async () => {
    let kept = 0;
    let most = 0;
    let now = 0;
    await importRecords(database, WITHOUT_FORMS, ndjson(Array.from({ length: 300 }, () => 'no')), {
      onRejected: async () => {
        most = Math.max(most, ++now);
        await new Promise(setImmediate);
        now -= 1;
        kept += 1;
      },
    });
    expect({ kept, most }).toEqual({ kept: 300, most: 1 });
  });

  it('tells of what was written in the transaction that writes it', async () => {
    const [record, other, create, declare] = [aRecord(), aRecord(), anAction(), anAction({ type: 'DECLARE' })];
    const document = anEventDocument({ actions: [create] });
    await run([record, document]);
    const told: unknown[] = [];
    await run([record, other, { ...document, actions: [create, declare] }, 'no'], {
      onWritten: async (transaction, events) => {
        const ids = events.map((event) => event.record.id);
        told.push(...events.map(({ kind, newActions, knownActions }) => ({ kind, newActions, knownActions })));
        told.push(await transaction.query(sql`select count(*) from event where id = any (${ids}::uuid[])`));
      },
    });
    expect(told).toEqual([
      { kind: 'created', newActions: [], knownActions: [] },
      { kind: 'updated', newActions: [declare], knownActions: [create] },
      [{ count: '2' }],
    ]);
  });

  it('writes nothing of a batch whose events could not be told of', async () => {
    const onWritten = () => Promise.reject(new Error('cannot be published'));
    await expect(run(someRecords(2), { onWritten })).rejects.toThrow('cannot be published');
    expect(await bodies()).toEqual([]);
  });

  it('is on the disk once it is answered, though its batches do not wait for that', async () => {
    // What is logged gets there by itself some times a second.
    for (let time = 0; time < 20; time++) {
      let written: unknown;
      await importRecords(database, WITHOUT_FORMS, ndjson([aRecord(), 'told of when its batch is committed']), {
        onRejected: async () => {
          [written] = await database.query(sql`select pg_current_wal_insert_lsn() as at`);
        },
      });
      const { at } = written as { at: string };
      expect(await database.query(sql`select pg_current_wal_flush_lsn() >= ${at}::pg_lsn as flushed`)).toEqual([
        { flushed: true },
      ]);
    }
  });

  it.each([
    [150_000, 150_000],
    [50_000, 1_000],
  ])(
    'of 1,000 records beside %i leaves the statistics at %i: few of them are for autovacuum',
    async (before, after) => {
      await database.query(sql`alter table event_search set (autovacuum_enabled = off)`);
      try {
        await database.query(sql`update pg_class set reltuples = ${before}::real where oid = 'event_search'::regclass`);
        await run(someRecords(1_000));
        const rows = sql`select reltuples::int as rows from pg_class where oid = 'event_search'::regclass`;
        expect(await database.query(rows)).toEqual([{ rows: after }]);
      } finally {
        await database.query(sql`alter table event_search reset (autovacuum_enabled)`);
      }
    },
  );

  it('ends while somebody else vacuums the tables', async () => {
    let isOver = false;
    const isWaiting = async (): Promise<boolean> => {
      const waiting = await database.query(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    };
    const importing = await database.transaction(async (vacuum) => {
      await vacuum.query(sql`lock table event, event_search in share update exclusive mode`);
      const running = run(someRecords(1_000)).finally(() => (isOver = true));
      await eventually('the import ends, or waits', async () => isOver || (await isWaiting()));
      return { running, hasEnded: isOver };
    });
    const { result } = await importing.running;
    expect([result.imported, importing.hasEnded]).toEqual([1_000, true]);
  });
});

describe('the demonstration country', () => {
  it('is imported whole, and what a search answers of it is taken back as it is', async () => {
    const lines = [...demoRecords({ seed: 7, count: 1_000, until: aCalendarDate('2026-06-30') })];
    expect((await run(lines)).result).toEqual({ imported: 1_000, updated: 0, rejected: 0, faults: [] });

    const exported = (await bodies()).slice(0, 500);
    const unchanged = { imported: 0, updated: 500, rejected: 0, faults: [] };
    expect((await run(lines.slice(0, 500))).result).toEqual(unchanged);
    // Here the events have their histories, which an unchanged record leaves alone.
    expect((await run(exported)).result).toEqual(unchanged);
    expect(await database.query(sql`select count(*) from event where imported is not null`)).toEqual([{ count: '0' }]);

    const other = await createTestDatabase();
    try {
      expect((await importRecords(other.database, WITHOUT_FORMS, ndjson(exported, 64 * KIB))).imported).toBe(500);
      expect(await bodies(other.database)).toEqual(exported);
    } finally {
      await other.drop();
    }
  });

  it('has the same search rows, whichever of its halves came first', async () => {
    const lines = [...demoRecords({ seed: 8, count: 150, until: aCalendarDate('2026-06-30') })];
    const firstActions = lines.map((line) =>
      'actions' in line ? { ...line, actions: line.actions.slice(0, Math.ceil(line.actions.length / 2)) } : line,
    );
    await run(lines);
    const whole = await searchRows();
    await database.query(sql`delete from event`);
    await run(firstActions);
    await run(lines);
    expect(await searchRows()).toEqual(whole);
  });

  const searchRows = () =>
    database.query<object>(
      sql`select to_jsonb(event_search) - 'seq' as row, body
            from event_search join event_document using (seq) order by id`,
    );
});

it('parameters in binary arrive as they are', async () => {
  const texts = ['', 'a', 'ä€𝄞', '{"x\\y", NULL}', null, 'null', 'x'.repeat(70_000)];
  const statement = sql`
    select ${texts}::text[] as texts, ${[1n, -(2n ** 63n)]}::bigint[] as numbers, ${[true, false]}::boolean[] as flags,
           ${[]}::uuid[] as none, ${'ö'.repeat(2_000)}::text as long, ${5}::int as few, ${texts}::text[] as again`;
  expect(await database.query(sentInBinary(statement))).toEqual(await database.query(statement));
});
