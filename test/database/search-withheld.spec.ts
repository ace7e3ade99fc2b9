import { TERMS } from '../support/terms.js';
import fc from 'fast-check';
import type { RowFilter } from '../../src/kernel/domain/scopes/caller.js';
import { buildBitmap, mayWriteBitmaps } from '../../src/events/index/statistics/write-bitmaps.js';
import { type Cardinalities, UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { type CopyName, recordWithoutSecured } from '../../src/kernel/domain/secured-fields.js';
import type { SearchRequest } from '../../src/kernel/domain/search-request.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { exportRecords } from '../../src/events/search/answer/stream-page.js';
import { twoPhaseSearch } from '../../src/events/search/answer/run-search.js';
import { planOf } from '../../src/events/search/plan/plan.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import type { SearchContext } from '../../src/events/search/predicate/search-context.js';
import type { Guard } from '../../src/events/search/request/refuse-secured.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
import { compileExport } from '../../src/events/search/statement/page.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aGuard, someOptions } from '../support/arbitrary-caller.js';
import { aMeetingRequest, aRelevanceRequest } from '../support/arbitrary-clause.js';
import { someRecords } from '../support/arbitrary-record.js';
import { aCalendarDate } from '../support/builders/a-calendar-date.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anInstant } from '../support/builders/an-instant.js';
import { below } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { isAdmitted, isRead } from '../support/reference/matches.js';
import { searchAnswer, searchRecords, knownFor } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { FLAGS, NOW, RECORD_NUMBERS } from '../support/vocabulary.js';

const RUNS = Number(process.env['SEARCH_PROPERTY_RUNS'] ?? 3);
const REQUESTS_PER_RUN = 20;

interface Case {
  readonly request: SearchRequest;
  readonly reach: RowFilter;
  readonly guard: Guard | undefined;
}

/** What he is answered, in every way in which records are. */
interface Answers {
  readonly total: number;
  readonly bodies: readonly string[];
  readonly next: unknown;
  readonly phased: readonly [total: number, bodies: readonly string[]];
  readonly exported: readonly string[];
}

/** Mostly scopes that exclude flags, and so the existence of records. */
const aRestriction: fc.Arbitrary<RowFilter> = fc.oneof(
  fc.constant<RowFilter>('everything'),
  fc.subarray(FLAGS, { minLength: 1, maxLength: 3 }).map((noneOf) => [{ flags: { noneOf } }]),
  fc.array(someOptions, { minLength: 1, maxLength: 2 }),
);

const aCase: fc.Arbitrary<Case> = fc.record({
  request: fc.oneof(aMeetingRequest(), aRelevanceRequest()),
  reach: aRestriction,
  guard: aGuard,
});

/** Of a country so large that every search takes two phases. */
const MANY: Cardinalities = {
  records: 1_000_000,
  ofTerm: () => 60_000,
  ofLocations: () => 10,
  ofRareTerm: 0,
  ofInstants: () => 10,
};

const SEALED = { flags: { noneOf: ['sealed'] } };

describe('what is withheld from a caller', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterAll(() => test.drop());

  const hold = async (records: readonly EventRecord[]): Promise<void> => {
    await test.database.query(sql`truncate event, bitmap, bitmap_chunk, bitmap_dirty cascade`);
    await storeRecords(test.database, records);
    const terms = await test.database.query<{ term: string }>(
      sql`select distinct unnest(terms)::text as term from event_search order by 1`,
    );
    await test.database.transaction(async (transaction) => {
      expect(await mayWriteBitmaps(transaction)).toBe(true);
      for (const term of [0n, ...terms.filter((_, at) => at % 3 === 0).map((row) => BigInt(row.term))]) {
        await buildBitmap(transaction, { term });
      }
    });
  };

  /** Every way in which records are answered: a page, a page in two phases, an export. */
  const answersTo = async ({ request, reach, guard }: Case): Promise<Answers> => {
    const known = await knownFor(test.database, request.query);
    const context: SearchContext = { now: NOW, timezone: 'UTC', below, guard, terms: TERMS, ...known };
    const search = compileSearch(request, reach, context);
    const { total, bodies, next } = await new SearchRepository(test.database).run(
      planOf(search, UNKNOWN_CARDINALITIES),
    );
    const phased = await test.database.snapshot((snapshot) => twoPhaseSearch(snapshot, search, MANY));
    const exported: string[] = [];
    await exportRecords(
      test.database,
      () =>
        Promise.resolve(compileExport(request, { rowFilter: reach, context, cardinalities: UNKNOWN_CARDINALITIES })),
      (lines) => {
        exported.push(...lines);
        return Promise.resolve();
      },
    );
    return { total, bodies, next, phased: [phased.total, phased.rows.map(({ body }) => body)], exported };
  };

  it('changes nothing that he is answered, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        someRecords(RECORD_NUMBERS.length),
        someRecords(RECORD_NUMBERS.length),
        fc.array(aCase, { minLength: REQUESTS_PER_RUN, maxLength: REQUESTS_PER_RUN }),
        async (records, others, cases) => {
          // Those of one caller are asked of two worlds, which differ only in what he must not learn.
          const [{ reach, guard } = { reach: 'everything' as const, guard: undefined }] = cases;
          const context = { now: NOW, timezone: 'UTC', below, notifiedBy: null, guard };
          const isReached = (record: EventRecord): boolean =>
            reach === 'everything' || reach.some((options) => isAdmitted(record, options, context));
          const asked = cases.map(({ request }) => ({ request, reach, guard }));
          await hold(records);
          const answers = [];
          for (const one of asked) answers.push(await answersTo(one));

          const secretOf = new Map(others.map((other) => [other.id, other]));
          await hold(
            records
              .filter(isReached)
              .map((record) =>
                guard === undefined || isRead(record, context)
                  ? record
                  : withOtherSecrets(record, secretOf.get(record.id) ?? record, guard),
              ),
          );
          for (const [at, one] of asked.entries()) {
            const search = JSON.stringify(one);
            expect({ search, answer: await answersTo(one) }).toEqual({ search, answer: answers[at] });
          }
        },
      ),
      {
        numRuns: RUNS,
        endOnFailure: true,
        reporter: ({ failed, seed, counterexamplePath, errorInstance }) => {
          if (failed) throw new Error(`seed ${seed}, path ${counterexamplePath ?? ''}`, { cause: errorInstance });
        },
      },
    );
  }, 600_000);

  it.each([
    ['one word, whose edits terms tell', 'Musomda', 'Musonda'],
    ['several words, whose edits are counted', 'Musomda Banda Chilufya', 'Musonda Banda Chilufya'],
  ])('is how near a secured value is: %s', async (_, near, word) => {
    const older = aRecord({
      updatedAt: anInstant('2026-01-01T00:00:00Z'),
      declaration: { 'child.alias': near, 'child.secret': word },
    });
    const newer = aRecord({
      updatedAt: anInstant('2026-01-02T00:00:00Z'),
      declaration: { 'child.alias': near, 'child.secret': 'other' },
    });
    await test.database.query(sql`truncate event, bitmap, bitmap_chunk, bitmap_dirty cascade`);
    await storeRecords(test.database, [older, newer]);
    const condition = { type: 'fuzzy', term: word };
    const query = {
      type: 'or',
      clauses: [{ data: { 'child.secret': condition } }, { data: { 'child.alias': condition } }],
    };
    const orderFor = async (readable: Guard['readable']): Promise<readonly string[]> => {
      const secured = new Map([['birth', { fieldIds: new Set(['child.secret']), copies: new Set<CopyName>() }]]);
      return (await searchRecords(test.database, { query }, { guard: { secured, readable } })).ids;
    };
    expect(await orderFor([{ event: ['birth'] }])).toEqual([older.id, newer.id]);
    expect(await orderFor([{ event: ['death'] }])).toEqual([newer.id, older.id]);
  });

  it.each([
    ['a field of the declaration', 'declaration.child.secret', (date: string) => date],
    ['a member of one', 'declaration.child.secret.of', (date: string) => ({ of: date })],
    ['a copy of it', 'dateOfEvent', (date: string) => date],
  ])('is the order by %s that he may not read', async (_, field, valueOf) => {
    const born = (id: number, type: string, date: string): EventRecord =>
      aRecord({
        id: aUuid(id),
        type,
        dateOfEvent: aCalendarDate(date),
        declaration: { 'child.secret': valueOf(date) },
      });
    // A record without the value comes last, and so does one whose value he may not read; those are sorted by their
    // ids.
    const records = [born(1, 'birth', '2026-01-03'), born(2, 'birth', '2026-01-01'), born(3, 'death', '2026-01-02')];
    const ids = (...those: readonly number[]): readonly Uuid[] => those.map((id) => aUuid(id));
    await hold(records);
    const copies = new Set<CopyName>(['dateOfEvent']);
    const secured = new Map(['birth', 'death'].map((type) => [type, { fieldIds: new Set(['child.secret']), copies }]));
    const request = parseSearchRequest({ query: { clauses: [{ flags: {} }] }, sort: [{ field }] }, { maxLimit: 10 });
    const orderFor = async (readable: Guard['readable']) => {
      const { bodies, phased, exported } = await answersTo({
        request,
        reach: 'everything',
        guard: { secured, readable },
      });
      return [bodies, phased[1], exported].map((each) => each.map((body) => (JSON.parse(body) as EventRecord).id));
    };
    const [shown, withheld] = [ids(2, 3, 1), ids(3, 1, 2)];
    expect(await orderFor([{ event: ['birth', 'death'] }])).toEqual([shown, shown, shown]);
    expect(await orderFor([{ event: ['death'] }])).toEqual([withheld, withheld, withheld]);
  });

  it('is an entry of `potentialDuplicates` that names a sealed record, or one that does not exist', async () => {
    const [open, sealed] = [aRecord(), aRecord({ flags: ['sealed'] })];
    const entryOf = ({ id, trackingId }: EventRecord) => ({ id, trackingId });
    const gone = { id: aUuid(), trackingId: 'GONE01' };
    const record = aRecord({
      potentialDuplicates: [entryOf(sealed), gone, entryOf(open)],
      // Texts that look like the list.
      assignedTo: '"potentialDuplicates":[],"flags":[',
      declaration: { 'child.note': { potentialDuplicates: [] }, 'a"b': '\u0001\\"' },
    });
    await test.database.query(sql`truncate event, bitmap, bitmap_chunk, bitmap_dirty cascade`);
    await storeRecords(test.database, [open, sealed, record]);
    const found = async (reach: RowFilter): Promise<EventRecord> => {
      const { bodies } = await searchAnswer(test.database, bodyFor(record.id), { reach });
      return JSON.parse(bodies[0] ?? '') as EventRecord;
    };
    expect(await found([SEALED])).toEqual({ ...record, potentialDuplicates: [entryOf(open)] });
    expect(await found([{ event: ['birth'] }])).toEqual(record);
    expect(await found('everything')).toEqual(record);
  });
});

const bodyFor = (id: string) => ({ query: { clauses: [{ id }] } });

/** The record, with the secured fields of another one. */
function withOtherSecrets(record: EventRecord, other: EventRecord, guard: Guard): EventRecord {
  const ofType = guard.secured.get(record.type);
  if (ofType === undefined) return record;
  const secrets = Object.entries(other.declaration).filter(([id]) => ofType.fieldIds.has(id));
  const shown = recordWithoutSecured(record, guard.secured);
  return {
    ...shown,
    dateOfEvent: ofType.copies.has('dateOfEvent') ? other.dateOfEvent : shown.dateOfEvent,
    placeOfEvent: ofType.copies.has('placeOfEvent') ? other.placeOfEvent : shown.placeOfEvent,
    declaration: { ...shown.declaration, ...Object.fromEntries(secrets) },
  };
}
