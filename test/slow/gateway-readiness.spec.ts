import { DERIVED_VERSION } from '../../src/platform/database/connection/derived-version.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { expectRefused } from '../support/expect-refused.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { RawConnection } from '../support/raw-connection.js';
import { TcpProxy } from '../support/tcp-proxy.js';

/** Longer than what ends by itself takes on the slowest machine, and shorter than a test may last. */
const LONG_MS = 60_000;

interface Migration {
  readonly timestamp: string;
  readonly name: string;
}

/**
 * One service, at a database that it reaches through a proxy, for all that it comes back from; what is frozen stays so.
 */
let database: TestDatabase;
let proxy: TcpProxy;
let service: RunningApplication;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await TcpProxy.to(database.url);
  service = await startApplication({ database, env: { DATABASE_URL: proxy.url, MIGRATE_ON_START: 'false' } });
});
afterAll(async () => {
  await proxy.close();
  await service.stop();
  await database.drop();
});

/** The feed of changes is made anew a moment after the database is there again, or has answered late. */
const untilFollowed = (): Promise<void> =>
  eventually('changes are followed', async () =>
    (await service.request('GET', '/health/ready')).body.includes('"changes":"up"'),
  );

describe('a migration', () => {
  it('that has not run leaves the service not ready, and the log says so once', async () => {
    const [[missing]] = await database.dataSource.query<[Migration[]]>(
      "delete from migration where name like 'InitialSchema%' returning timestamp, name",
    );
    const ready = async () => {
      const { status, json } = await service.request('GET', '/health/ready');
      return [status, json];
    };
    // A service checks itself when it begins to listen, and who asks meanwhile shares that answer.
    await eventually('it is seen', async () => (await ready())[0] === 503);
    await untilFollowed();
    const seen = await ready();
    await database.dataSource.query('insert into migration (timestamp, name) values ($1, $2)', [
      missing?.timestamp,
      missing?.name,
    ]);
    expect(seen).toEqual([
      503,
      { status: 'down', checks: { database: 'up', migrations: 'down', derived: 'down', queue: 'up', changes: 'up' } },
    ]);
    const lines = () => service.log.filter(({ msg }) => String(msg).startsWith('The schema of the database is older'));
    await eventually('the log has told of it', () => Promise.resolve(lines().length > 0));
    expect(lines().map(({ level, msg }) => [level, msg])).toEqual([
      [
        'warn',
        'The schema of the database is older than this program: this process is not ready until `matricula migrate` has run',
      ],
    ]);
  });
});

describe('what searches read', () => {
  it('is of this version, or the service is not ready, answers 503, and says why', async () => {
    const { clientId, token } = await service.registerClient('RECORD_SEARCH');
    expect(clientId).not.toBe('');
    const search = async () => {
      const body = { query: { clauses: [{ eventType: 'birth' }] } };
      const { status, json } = await service.request('POST', '/events/search', { token, body });
      return [status, (json as { message?: string }).message];
    };
    const ready = async () => {
      const { status, json } = await service.request('GET', '/health/ready');
      return [status, (json as { checks: { derived: string } }).checks.derived];
    };
    const hold = (version: number) => database.dataSource.query(`update derived_version set version = ${version}`);
    expect([await ready(), await search()]).toEqual([
      [200, 'up'],
      [200, undefined],
    ]);
    await hold(DERIVED_VERSION - 1);
    expect([await ready(), await search()]).toEqual([
      [503, 'needs reindex'],
      [503, expect.stringMatching(/matricula reindex makes it$/)],
    ]);
    await hold(DERIVED_VERSION + 1);
    expect([await ready(), await search()]).toEqual([
      [503, 'superseded'],
      [503, expect.stringMatching(/it has to give way to a later one$/)],
    ]);
    // Lines of the log come together, some later.
    await eventually('the log has told of both', () =>
      Promise.resolve(service.log.filter(({ msg }) => /later release|earlier release/.test(String(msg))).length === 2),
    );
    await expectRefused(service, 'other-version', clientId);
    await hold(DERIVED_VERSION);
    expect([await ready(), await search()]).toEqual([
      [200, 'up'],
      [200, undefined],
    ]);
  });
});

describe('without its database', () => {
  it('the service says so, asks to come back, and goes on once the database is there again', async () => {
    const credentials = {
      client_id: 'b2b6a5d0-6f6c-4f0e-8f57-0c6c7a3b9f11',
      client_secret: 'x',
      grant_type: 'client_credentials',
    };
    const state = async () => {
      const [ready, live, token] = [
        await service.request('GET', '/health/ready'),
        await service.request('GET', '/health/live'),
        await service.request('POST', '/token', { body: credentials }),
      ];
      return [ready.status, ready.json, live.status, token.status, token.headers['retry-after']];
    };
    const up = [
      200,
      { status: 'up', checks: { database: 'up', migrations: 'up', derived: 'up', queue: 'up', changes: 'up' } },
      200,
      401,
      undefined,
    ];
    await untilFollowed();
    expect(await state()).toEqual(up);
    await proxy.close();
    expect(await state()).toEqual([
      503,
      {
        status: 'down',
        checks: { database: 'down', migrations: 'down', derived: 'down', queue: 'down', changes: 'degraded' },
      },
      200,
      503,
      '1',
    ]);
    await proxy.open();
    await untilFollowed();
    expect(await state()).toEqual(up);
  });

  it('the service is not ready while the database says nothing', async () => {
    proxy.freeze();
    const begin = performance.now();
    const { status } = await service.request('GET', '/health/ready');
    expect([status, performance.now() - begin < LONG_MS]).toEqual([503, true]);
  });
});

describe('ending', () => {
  /** Of SHUTDOWN_GRACE_SECONDS. */
  const DEFAULT_GRACE_MS = 20_000;
  const post = (length: number): readonly string[] => [
    'POST /token HTTP/1.1',
    'Host: a',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    '',
  ];

  it('finishes what is in flight, closes what is idle, and takes nothing new', async () => {
    // Long enough for a busy machine to ask it meanwhile.
    const ending = await startApplication({ env: { SHUTDOWN_DELAY_SECONDS: '8' } });
    const [idle, fresh, busy] = await Promise.all([
      RawConnection.to(ending.publicUrl),
      RawConnection.to(ending.internalUrl),
      RawConnection.to(ending.publicUrl),
    ]);
    idle.send('GET /ping HTTP/1.1', 'Host: a', '', '');
    await idle.receives(/"success":true/);
    busy.send(...post(2));
    const stopped = ending.stop();
    const ready = () => ending.request('GET', '/health/ready');
    let meanwhile = await ready();
    await eventually('it has heeded the signal', async () => {
      meanwhile = await ready();
      return meanwhile.status !== 200 && meanwhile.body.includes('"changes":"up"');
    });
    expect([meanwhile.status, meanwhile.json]).toEqual([
      503,
      { status: 'stopping', checks: { database: 'up', migrations: 'up', derived: 'up', queue: 'up', changes: 'up' } },
    ]);
    await Promise.all([idle.closed(), fresh.closed()]);
    await expect(RawConnection.to(ending.publicUrl)).rejects.toThrow('ECONNREFUSED');
    busy.send('{}');
    expect(await busy.closed()).toMatch(/^HTTP\/1.1 400 [^]*connection: close[^]*unsupported_grant_type/i);
    await stopped;
  });

  it('cuts off what does not finish in time', async () => {
    const ending = await startApplication({ env: { SHUTDOWN_GRACE_SECONDS: '1' } });
    const busy = await RawConnection.to(ending.publicUrl);
    busy.send(...post(2));
    // The request has arrived when one that was sent after it is answered.
    await ending.request('GET', '/ping');
    const begin = performance.now();
    await ending.stop();
    expect([await busy.closed(), performance.now() - begin < DEFAULT_GRACE_MS]).toEqual(['', true]);
  });
});
