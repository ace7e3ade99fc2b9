import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeFeed, Followed } from '../../src/platform/database/connection/change-feed.js';
import { Primary } from '../../src/platform/database/connection/primary.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';

let test: TestDatabase;
let proxy: TcpProxy;
let feed: ChangeFeed;
let clientCalls: number;
let placeCalls: number;
let errors: string[];
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  proxy = await TcpProxy.to(test.url);
  [clientCalls, placeCalls, errors] = [0, 0, []];
  feed = new ChangeFeed(new Primary(proxy.url), (error) => errors.push(String(error)));
  feed.on('client_changed', async () => {
    await Promise.resolve();
    clientCalls += 1;
  });
  feed.on('places_changed', async () => {
    await Promise.resolve();
    placeCalls += 1;
  });
});
afterEach(async () => {
  await feed.stop();
  await proxy.close();
});

const announce = (channel: string) => test.database.query(sql`select pg_notify(${channel}, '')`);

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await sleep(5);
};

describe('ChangeFeed', () => {
  it('calls every listener when it starts, and then those of the channel that is announced', async () => {
    await feed.start();
    expect([clientCalls, placeCalls]).toEqual([1, 1]);
    await announce('client_changed');
    await until(() => clientCalls === 2);
    await announce('signing_key_changed');
    await announce('places_changed');
    await until(() => placeCalls === 2);
    expect([clientCalls, placeCalls, errors]).toEqual([2, 2, []]);
  });

  it('counts the readings of what follows it, those that fail too', async () => {
    let fails = false;
    class Cache extends Followed {
      protected load(): Promise<void> {
        return fails ? Promise.reject(new Error('half of it was read')) : Promise.resolve();
      }
    }
    const followed = new Cache(feed, 'user_changed');
    await feed.start();
    expect(feed.readings).toBe(1);
    await announce('user_changed');
    await until(() => feed.readings === 2);
    await followed.current();
    expect(feed.readings).toBe(2);
    fails = true;
    await expect(followed.refresh()).rejects.toThrow('half of it was read');
    expect(feed.readings).toBe(3);
  });

  it('announces what a transaction did when that is committed', async () => {
    await feed.start();
    await test.database.transaction(async (transaction) => {
      await transaction.query(sql`select pg_notify('client_changed', '')`);
      await sleep(50);
      expect(clientCalls).toBe(1);
    });
    await until(() => clientCalls === 2);
  });

  it('connects again when the server ends its connection, and calls every listener', async () => {
    await feed.start();
    await test.database.query(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'matricula change feed' and datname = current_database()`,
    );
    await until(() => clientCalls === 2 && placeCalls === 2);
    await announce('client_changed');
    await until(() => clientCalls === 3);
    expect(errors).toEqual(['error: terminating connection due to administrator command']);
  });

  it('knows whether it hears of changes', async () => {
    const heard = [feed.isFollowing];
    await feed.start();
    heard.push(feed.isFollowing);
    await proxy.close();
    await until(() => !feed.isFollowing);
    await proxy.open();
    await until(() => feed.isFollowing);
    await feed.stop();
    expect([...heard, feed.isFollowing]).toEqual([false, true, false]);
  });

  it('finds out what was announced while the database was away, as soon as it is back', async () => {
    await feed.start();
    await proxy.close();
    await announce('client_changed');
    await sleep(700);
    expect(clientCalls).toBe(1);
    await proxy.open();
    await until(() => clientCalls === 2);
    await announce('client_changed');
    await until(() => clientCalls === 3);
    expect(errors).toHaveLength(1);
  });

  it('notices by itself that a connection has died without a word', async () => {
    await feed.start();
    proxy.freeze();
    await announce('client_changed');
    await until(() => clientCalls === 2);
    expect(errors).toEqual(['Error: The connection of the change feed did not answer within 1000 ms']);
  });

  it('calls a listener again that failed', async () => {
    let attempts = 0;
    feed.on('client_changed', () => {
      attempts += 1;
      return attempts === 2 ? Promise.reject(new Error('no such luck')) : Promise.resolve();
    });
    await feed.start();
    await announce('client_changed');
    await until(() => attempts === 3);
    expect(errors).toEqual(['Error: no such luck']);
  });

  it('never calls a listener twice at the same time, and once for announcements that wait', async () => {
    const seen: string[] = [];
    let running = 0;
    let most = 0;
    feed.on('signing_key_changed', async () => {
      running += 1;
      most = Math.max(most, running);
      const [row] = await test.database.query<{ name: string }>(sql`select name from system_client`);
      seen.push(row?.name ?? 'none');
      await sleep(100);
      running -= 1;
    });
    await feed.start();
    await test.database.query(
      sql`insert into system_client (client_id, name, scopes, secret_hash, sha_secret_sealed, created_by)
          values (gen_random_uuid(), 'first', '{}', '', '', '')`,
    );
    await announce('signing_key_changed');
    await until(() => seen.at(-1) === 'first');
    await test.database.query(
      sql`with changed as (update system_client set name = 'last')
          select pg_notify('signing_key_changed', round::text) from generate_series(1, 20) as round`,
    );
    await until(() => seen.at(-1) === 'last');
    await sleep(250);
    expect({ most, seen }).toEqual({ most: 1, seen: ['none', 'first', 'last'] });
  });

  it('hears of one channel while the listeners of another take their time', async () => {
    let heardMeanwhile: boolean | undefined;
    feed.on('places_changed', async () => {
      if (placeCalls === 1) return;
      await announce('client_changed');
      await eventually('the other channel is heard', () => clientCalls === 2).then(
        () => (heardMeanwhile = true),
        () => (heardMeanwhile = false),
      );
    });
    await feed.start();
    await announce('places_changed');
    await until(() => heardMeanwhile !== undefined);
    expect({ heardMeanwhile, errors }).toEqual({ heardMeanwhile: true, errors: [] });
  });

  it('calls one again that failed while others were still called after a reconnection', async () => {
    let [attempts, readings] = [0, 0];
    feed.on('client_changed', () => {
      attempts += 1;
      return attempts === 3 ? Promise.reject(new Error('no such luck')) : Promise.resolve();
    });
    feed.on('places_changed', async () => {
      readings += 1;
      if (readings !== 2) return;
      await until(() => attempts === 2);
      await announce('client_changed');
      await until(() => attempts === 3);
    });
    await feed.start();
    await proxy.close();
    await until(() => !feed.isFollowing);
    await proxy.open();
    await until(() => feed.isFollowing);
    expect({ attempts, errors }).toEqual({ attempts: 4, errors: [expect.any(String)] });
  });

  it('calls the other listeners of a channel when one fails', async () => {
    let attempts = 0;
    const others: number[] = [];
    feed.on('token_revoked', () => {
      attempts += 1;
      return attempts === 2 ? Promise.reject(new Error('no such luck')) : Promise.resolve();
    });
    feed.on('token_revoked', async () => {
      others.push(await Promise.resolve(attempts));
    });
    await feed.start();
    await announce('token_revoked');
    await until(() => others.includes(3));
    expect({ others, errors }).toEqual({ others: [1, 2, 3], errors: ['Error: no such luck'] });
  });

  it('does not start without a database, and does not go on trying then', async () => {
    await proxy.close();
    await expect(feed.start()).rejects.toThrow();
    await proxy.open();
    await sleep(600);
    expect([proxy.accepted, errors]).toEqual([0, []]);
  });

  it('does not start when a listener fails', async () => {
    feed.on('client_changed', () => Promise.reject(new Error('no such luck')));
    await expect(feed.start()).rejects.toThrow('no such luck');
    await sleep(600);
    expect([proxy.accepted, errors]).toEqual([1, []]);
  });

  it('stops while the database is away', async () => {
    await feed.start();
    await proxy.close();
    await until(() => errors.length === 1);
    await feed.stop();
    await proxy.open();
    await sleep(600);
    expect([proxy.accepted, clientCalls]).toEqual([1, 1]);
  });

  it('calls nobody after it was stopped', async () => {
    await feed.start();
    await feed.stop();
    await announce('client_changed');
    await sleep(100);
    expect([clientCalls, errors]).toEqual([1, []]);
  });
});
