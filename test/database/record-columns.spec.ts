import {
  COLUMN_TYPES,
  RECORD_COLUMNS,
  SCALAR_FIELDS,
  type ScalarName,
} from '../../src/kernel/domain/record-columns.js';
import { fieldsOn, SEARCHED_FIELDS } from '../../src/kernel/domain/searched-fields.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const NAMES = Object.keys(RECORD_COLUMNS) as ScalarName[];

/** Columns of `event_search` that no field of the record fills by itself. */
const OTHERS = ['flags', 'notified_created_at_location', 'notified_created_by', 'seq', 'terms'];

describe('the table of columns', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterAll(() => test.drop());

  const columnsOf = (table: string) =>
    test.database.query<{ name: string; type: string; nullable: boolean }>(sql`
      select attname as name, atttypid::regtype::text as type, not attnotnull as nullable
        from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attname`);

  /** The columns that an index begins with. */
  const indexed = async (): Promise<readonly string[]> => {
    const rows = await test.database.query<{ name: string }>(sql`
      select distinct attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
       where indrelid = 'event_search'::regclass`);
    return rows.map(({ name }) => name);
  };

  it('has the columns that the migrations make, with their types and nullability', async () => {
    const described = NAMES.map((name) => {
      const { kind, isNullable } = SCALAR_FIELDS[name];
      const type = COLUMN_TYPES[kind];
      return {
        name: RECORD_COLUMNS[name].column,
        type: type === 'timestamptz' ? 'timestamp with time zone' : type,
        nullable: isNullable,
      };
    });
    const actual = await columnsOf('event_search');
    expect(actual.filter(({ name }) => !OTHERS.includes(name))).toEqual(
      described.sort((one, other) => (one.name < other.name ? -1 : 1)),
    );
    expect(actual.map(({ name }) => name).filter((name) => OTHERS.includes(name))).toEqual(OTHERS);
  });

  it('says of no column that an index finds its values where there is none', async () => {
    const own = Object.values(SEARCHED_FIELDS).filter(
      ({ search }) => search.on !== 'text' || search.values === 'unique',
    );
    expect(await indexed()).toEqual(expect.arrayContaining(own.map(({ column }) => column)));
  });

  it('calls ordered what is never null alone', () => {
    const ordered = fieldsOn('instant').filter(({ search }) => 'isOrdered' in search);
    expect(ordered.map(({ column, isNullable }) => [column, isNullable])).toEqual([
      ['created_at', false],
      ['updated_at', false],
    ]);
  });
});
