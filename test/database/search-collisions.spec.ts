import { DictionaryFollower } from '../../src/events/index/near-words/dictionary-follower.js';
import { kindsOf } from '../../src/events/index/terms/data-aspect.js';
import { textOf } from '../../src/events/index/terms/term-kind.js';
import { fieldOf } from '../../src/events/index/values/data-path.js';
import { writeVocabulary } from '../../src/events/index/terms/write-vocabulary.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(() => test.database.query(sql`truncate event, term, term_doubt cascade`));

afterAll(() => test.drop());

const named = (firstname: string) => aRecord({ declaration: { name: { firstname } } });
const termOf = (word: string) => kindsOf(fieldOf('name')).kind('nameWord').term(word);

const exact = (term: string) => ({ query: { clauses: [{ data: { name: { type: 'exact', term } } }] } });
const fuzzy = (term: string) => ({ query: { clauses: [{ data: { name: { type: 'fuzzy', term } } }] } });

/** Puts a term into a record that it does not have. */
const pretend = (id: string, word: string) =>
  test.database.query(sql`update event_search set terms = terms || ${termOf(word).hash}::bigint where id = ${id}`);

const doubts = async () =>
  (await test.database.query<{ hash: string }>(sql`select hash from term_doubt`)).map(({ hash }) => hash);

describe('two terms of one hash', () => {
  it('are told apart when the one that is searched for is in no record', async () => {
    const record = named('Ama');
    await storeRecords(test.database, [record]);
    // As if `ama` had the hash of `kofi`.
    await pretend(record.id, 'kofi');
    expect((await searchRecords(test.database, exact('Kofi'))).ids).toEqual([record.id]);
    await test.database.query(
      sql`insert into term (hash, text) values (${termOf('kofi').hash}, ${textOf(termOf('ama'))})`,
    );
    expect(await searchRecords(test.database, exact('Kofi'))).toEqual({ total: 0, ids: [] });
    expect((await searchRecords(test.database, exact('Ama'))).ids).toEqual([record.id]);
  });

  it('are told apart when both are in records: the second writer notices', async () => {
    const [ama, kofi] = [named('Ama'), named('Kofi')];
    await storeRecords(test.database, [ama]);
    await pretend(ama.id, 'kofi');
    await test.database.query(
      sql`insert into term (hash, text) values (${termOf('kofi').hash}, ${textOf(termOf('ama'))})`,
    );
    expect(await doubts()).toEqual([]);
    await storeRecords(test.database, [kofi]);
    expect(await doubts()).toEqual([String(termOf('kofi').hash)]);
    for (const body of [exact('Kofi'), fuzzy('koffi')]) {
      expect(await searchRecords(test.database, body)).toEqual({ total: 1, ids: [kofi.id] });
    }
  });

  it('are noticed when they are written together, and not when they are one', async () => {
    const [ama, kofi] = [termOf('ama'), termOf('kofi')];
    const write = (...terms: (typeof ama)[]) =>
      test.database.transaction((transaction) =>
        writeVocabulary(transaction, [{ seq: '1', isNew: true, vocabulary: { paths: [], terms } }]),
      );
    await write(ama, kofi, ama);
    await write(kofi);
    expect(await doubts()).toEqual([]);
    const banda = termOf('banda');
    await write({ ...banda, hash: 2n }, { ...kofi, hash: 2n });
    expect(await doubts()).toEqual(['2']);
  });
});

describe('two words', () => {
  it('of two names of one value are not found as one name, by a search that does not know of such values yet', async () => {
    const one = aRecord({ declaration: { name: { firstname: 'Ama', surname: 'Kofi' } } });
    await storeRecords(test.database, [one]);
    const known = await new DictionaryFollower(test.database).caughtUp();
    const two = aRecord({ declaration: { name: [{ firstname: 'Ama' }, { surname: 'Kofi' }] } });
    await storeRecords(test.database, [two]);
    for (const body of [exact('Kofi Ama'), fuzzy('Koffi Ama')]) {
      expect(await searchRecords(test.database, body, known)).toEqual({ total: 1, ids: [one.id] });
      expect(await searchRecords(test.database, body)).toEqual({ total: 1, ids: [one.id] });
    }
  });
});
