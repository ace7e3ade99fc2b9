import { TERMS } from '../support/terms.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { DictionaryFollower } from '../../src/events/index/near-words/dictionary-follower.js';
import { type NearWord, NO_WORDS } from '../../src/events/index/near-words/fuzzy-dictionary.js';
import { SearchTurn } from '../../src/events/index/near-words/search-turn.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { recordRow } from '../../src/events/records/record-row.js';
import { writeRecords } from '../../src/events/records/store/write-records.js';
import { KnownOutdated } from '../../src/events/search/answer/known-outdated.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { moveNumbersIntoBlocks } from '../support/number-blocks.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { exact, fuzzy } from '../support/value-conditions.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';
import { wordsNear } from '../support/words-near.js';

describe('words that other processes write (S-14)', () => {
  let test: TestDatabase;
  let other: Database;
  let follower: DictionaryFollower;

  beforeAll(async () => {
    test = await createTestDatabase();
    other = new Database(await createDataSource(test.url, 4).initialize());
    follower = new DictionaryFollower(test.database);
    await follower.caughtUp();
  });

  afterAll(async () => {
    await other.dataSource.destroy();
    await test.drop();
  });

  const named = (name: string) => aRecord({ declaration: { name: { firstname: name } } });
  const prepared = (record: EventRecord) => ({
    id: record.id,
    incoming: { kind: 'record' as const, record },
    configuration: WITHOUT_FORMS,
    terms: TERMS,
    row: recordRow({ record, notified: undefined }, TERMS),
  });
  async function find(term: string): Promise<readonly string[]> {
    const body = { query: { clauses: [{ data: { name: fuzzy(term) } }] } };
    return (await searchRecords(test.database, body, await follower.caughtUp())).ids;
  }

  it('are found by the next search, whichever process makes it', async () => {
    for (const [written, searched] of [
      ['Abimbola', 'Abimbloa'],
      ['Chukwuemeka', 'Chukwumeka'],
      ['9876543210', '9876543201'],
    ] as const) {
      const record = named(written);
      await storeRecords(other, [record]);
      expect(await find(searched)).toEqual([record.id]);
    }
  });

  it('are found although a transaction that began earlier commits later', async () => {
    const [early, late] = [named('Temwanani'), named('Wezi Chikondi')];
    await other.transaction(async (transaction) => {
      await writeRecords(transaction, [prepared(early)]);
      await storeRecords(other, [late]);
      expect(await find('Chikndi')).toEqual([late.id]);
      expect(await find('Temwanane')).toEqual([]);
    });
    expect(await find('Temwanane')).toEqual([early.id]);
  });

  it('of a transaction that was rolled back are none, and can be written again', async () => {
    const record = named('Nkandu');
    const undone = other.transaction(async (transaction) => {
      await writeRecords(transaction, [prepared(record)]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await wordsNear(follower, 'nkandu')).toEqual([]);
    await storeRecords(other, [record]);
    expect(await find('nkadnu')).toEqual([record.id]);
  });

  it('are all found while many write at once, some of them the same words', async () => {
    const writers = [test.database, other].flatMap((database) =>
      Array.from({ length: 4 }, async (_, writer) => {
        for (let turn = 0; turn < 6; turn++) {
          const word = `writer${'abcdefgh'.charAt(writer)}turn${'uvwxyz'.charAt(turn)}`;
          const record = named(`${word} shared${'klmnop'.charAt(turn)} common`);
          await storeRecords(database, [record]);
          expect(await find(`${word} shared`)).toContain(record.id);
        }
      }),
    );
    await Promise.all(writers);
    expect(await find('comon')).toHaveLength(48);
  });

  it('are read through a cursor when there are many', async () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `x${String(at).padStart(4, '0')}`);
    const record = aRecord({ declaration: { name: 'Kapembwa', words: words.join(' ') } });
    await storeRecords(other, [record]);
    expect(await find('kapebwma')).toEqual([record.id]);
    const fresh = await new DictionaryFollower(other).caughtUp();
    const body = { query: { clauses: [{ data: { words: fuzzy('x2999') } }] } };
    expect((await searchRecords(test.database, body, fresh)).total).toBe(1);
  });

  it('are found when many records bring others of the same kind at once', async () => {
    const records = Array.from({ length: 40 }, (_, at) =>
      aRecord({ declaration: { nid: String(7_000_000_000 + at * 97_654_321) } }),
    );
    await storeRecords(other, records);
    const body = { query: { clauses: [{ data: { nid: fuzzy('9929629603') } }] } };
    for (const known of [await follower.caughtUp(), await new DictionaryFollower(other).caughtUp()]) {
      expect(await searchRecords(test.database, body, known)).toEqual({ total: 1, ids: [records[30]?.id] });
    }
  });

  it('stay in memory when shapes are read while numbers are moved', async () => {
    await storeRecords(other, [aRecord({ declaration: { name: 'Mutale', nid: '4440001110' } })]);
    await follower.shapes();
    const { dictionary } = await follower.caughtUp();
    // The reading of words is answered from before the move, and arrives behind that of shapes.
    const query = test.database.query.bind(test.database);
    const all = jest.spyOn(test.database.patient, 'snapshot');
    const held = jest.spyOn(test.database, 'query').mockImplementationOnce(async (statement, signal) => {
      const rows = await query(statement, signal);
      await moveNumbersIntoBlocks(other);
      await follower.shapes();
      return rows;
    });
    await follower.caughtUp();
    await follower.caughtUp();
    held.mockRestore();
    expect(all).not.toHaveBeenCalled();
    all.mockRestore();
    await dictionary.lookUp?.([{ word: '4440001101' }], new SearchTurn());
    expect(dictionary.inEachField('4440001101').words).toEqual([{ word: '4440001110', edits: 1 }]);
  });

  it('of numbers and addresses are looked up in blocks once they are there, and are in memory no longer', async () => {
    const numbers = Array.from({ length: 60 }, (_, at) => String(5_550_000_000 + at * 97_654_321));
    await storeRecords(
      other,
      numbers.map((nid) => aRecord({ declaration: { nid, mail: `${nid}@example.org` } })),
    );
    const searched = ['5647645321', '5647654321@exampel.org', '5647654321exampleorg', 'exampleorg'];
    const near = (by: DictionaryFollower) => Promise.all(searched.map((word) => wordsNear(by, word)));
    const before = await near(follower);
    expect(before.map((words) => words.map(({ word }) => word))).toEqual([
      ['5647654321'],
      ['5647654321@example.org'],
      ['5647654321@example.org'],
      [],
    ]);
    const [known, whileInMemory] = [await follower.caughtUp(), follower.size.words];
    await moveNumbersIntoBlocks(test.database);
    await follower.caughtUp();
    expect(follower.size.words).toBeLessThanOrEqual(whileInMemory - 120);
    const fresh = new DictionaryFollower(other);
    expect([await near(follower), await near(fresh)]).toEqual([before, before]);
    expect(fresh.size.words).toBe(follower.size.words);
    // A search that had caught up before.
    await known.dictionary.lookUp?.([{ word: '5647645321' }], new SearchTurn());
    expect(known.dictionary.inEachField('5647645321').words).toEqual(before[0]);
    await storeRecords(other, [aRecord({ declaration: { nid: '5647645322' } })]);
    expect((await near(follower))[0]).toHaveLength(2);
  });

  it('of numbers are not said to be in blocks by ids of other transactions, as in a dump that was restored', async () => {
    const searched = '5647645321';
    const before = await wordsNear(follower, searched);
    await test.database.query(sql`update number_blocks_until set moved_by = '1'`);
    await test.database.query(sql`update number_block set entries = ''`);
    const found = async () => [
      await wordsNear(new DictionaryFollower(other), searched),
      await wordsNear(follower, searched),
    ];
    const inOrder = (words: readonly NearWord[]) => words.toSorted((one, other) => (one.word < other.word ? -1 : 1));
    expect((await found()).map(inOrder)).toEqual([inOrder(before), inOrder(before)]);
    await moveNumbersIntoBlocks(test.database);
    expect((await found()).map(inOrder)).toEqual([inOrder(before), inOrder(before)]);
  });

  it('are of kinds that the statement of a search compares with those that it was compiled with', async () => {
    const find = async (term: string, field: string) => {
      const shapesAsRead = follower.shapesAsRead();
      const context = shapesAsRead && {
        ...{ dictionary: NO_WORDS, shapes: shapesAsRead.shapes, readBefore: shapesAsRead.reading },
      };
      return searchRecords(test.database, { query: { clauses: [{ data: { [field]: exact(term) } }] } }, context);
    };
    await follower.shapes();
    const [early, late] = [aRecord({ declaration: { early: 'a1' } }), aRecord({ declaration: { late: 'b2' } })];
    await other.transaction(async (transaction) => {
      await writeRecords(transaction, [prepared(early)]);
      expect(await find('a1', 'early')).toEqual({ total: 0, ids: [] });
      await storeRecords(other, [late]);
      await expect(find('b2', 'late')).rejects.toThrow(KnownOutdated);
      await follower.shapes();
      expect(await find('b2', 'late')).toEqual({ total: 1, ids: [late.id] });
    });
    await expect(find('a1', 'early')).rejects.toThrow(KnownOutdated);
    await follower.shapes();
    expect(await find('a1', 'early')).toEqual({ total: 1, ids: [early.id] });
  });

  it('of a dump from another cluster are known once, and new ones are found behind them', async () => {
    for (const table of [sql`fuzzy_word`, sql`fuzzy_word_list`]) {
      await test.database.query(sql`update ${table} set written_by = '4000000000'`);
    }
    const reader = new DictionaryFollower(other);
    expect(await wordsNear(reader, 'abimbola')).toHaveLength(1);
    expect(
      await test.database.query(
        sql`select from (select written_by from fuzzy_word union all select written_by from fuzzy_word_list) as written
             where written_by >= pg_snapshot_xmax(pg_current_snapshot())`,
      ),
    ).toEqual([]);
  });

  it('cannot be searched where nothing tells how many are in blocks', async () => {
    await test.database.query(sql`delete from number_blocks_until`);
    for (const reader of [follower, new DictionaryFollower(other)]) {
      await expect(reader.caughtUp()).rejects.toThrow('has no row');
    }
  });
});
