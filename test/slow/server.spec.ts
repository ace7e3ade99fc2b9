import { Secret } from '../../src/platform/config/secret.js';
import { openServer } from '../../src/platform/database/embedded/open-server.js';
import { HOUR_MS } from '../../src/kernel/domain/calendar.js';
import { createTestDatabase, nameOf, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/eventually.js';
import { TcpProxy } from '../support/tcp-proxy.js';

let test: TestDatabase;
let proxy: TcpProxy;
let lines: string[];
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  proxy = await TcpProxy.to(test.url);
  lines = [];
});
afterEach(() => proxy.close());

const open = (url: string, patienceSeconds: number) =>
  openServer({
    databaseUrl: new Secret(url),
    dataDir: '/nowhere',
    log: (line) => lines.push(line),
    patienceSeconds,
  });

const placeOf = (url: string): string => `${new URL(url).host}/${nameOf(test)}`;

describe('a server at DATABASE_URL', () => {
  it('is taken as it is, and goes on when it is closed', async () => {
    const server = await open(test.url, 100);
    await server.close();
    const again = await open(test.url, 100);
    expect({ ...again, close: undefined, lines }).toEqual({
      url: test.url,
      embedded: false,
      fresh: false,
      close: undefined,
      lines: [],
    });
  });

  it('is waited for while it is still coming up', async () => {
    await proxy.close();
    const opening = open(proxy.url, 100);
    setTimeout(() => void proxy.open(), 700);
    expect((await opening).url).toBe(proxy.url);
    expect(lines).toEqual([expect.stringContaining(`waiting for the database at ${placeOf(proxy.url)}: `)]);
  });

  it('is given up in the end, without a word of its password', async () => {
    await proxy.close();
    const url = new URL(proxy.url);
    url.password = 'correct-horse';
    const opening = open(url.href, 1);
    await expect(opening).rejects.toThrow(`The database at ${placeOf(proxy.url)} did not answer within 1 seconds: `);
    await expect(opening).rejects.not.toThrow('correct-horse');
    expect(lines.join()).not.toContain('correct-horse');
  });

  it('is waited for as long however the clock is set meanwhile', async () => {
    await proxy.close();
    const clock = jest.spyOn(Date, 'now');
    try {
      clock.mockReturnValue(0);
      const [opening, tooLate] = [open(proxy.url, 100), open(proxy.url, 1)];
      for (const one of [opening, tooLate]) one.catch(() => undefined);
      await eventually('both wait', () => lines.length === 2);
      clock.mockReturnValue(-HOUR_MS);
      await expect(tooLate).rejects.toThrow('did not answer within 1 seconds');
      clock.mockReturnValue(HOUR_MS);
      setTimeout(() => void proxy.open(), 700);
      expect((await opening).url).toBe(proxy.url);
    } finally {
      clock.mockRestore();
    }
  });

  it('is not waited for when it refuses us', async () => {
    const url = new URL(test.url);
    url.pathname = '/no_such_database';
    await expect(open(url.href, 600)).rejects.toThrow(
      `The database at ${url.host}/no_such_database refused the connection: database "no_such_database" does not exist`,
    );
  });

  it('is refused when it is older than PostgreSQL 15', async () => {
    // What the server says of itself comes from a function, which another schema can stand before.
    await test.dataSource.query('create schema older');
    await test.dataSource.query(
      `create function older.current_setting(text) returns text language sql as $$ select '140019' $$`,
    );
    const url = new URL(test.url);
    url.searchParams.set('options', '-c search_path=older,pg_catalog');
    await expect(open(url.href, 100)).rejects.toThrow(
      `The database at ${placeOf(test.url)} is PostgreSQL 14; 15 or later is needed.`,
    );
  });

  it('is refused where its database does not store texts in UTF-8', async () => {
    const name = `${nameOf(test)}_latin`;
    await test.dataSource.query(
      `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
    );
    const url = new URL(test.url);
    url.pathname = `/${name}`;
    try {
      await expect(open(url.href, 100)).rejects.toThrow(
        `The database at ${url.host}/${name} stores texts in LATIN1; UTF8 is needed: ` +
          "create database … encoding 'UTF8' template template0.",
      );
    } finally {
      await test.dataSource.query(`drop database ${name}`);
    }
  });
});
