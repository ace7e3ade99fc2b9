import { spawnSync } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { GuardedClient } from '../../src/platform/database/connection/guarded-client.js';
import { Primary } from '../../src/platform/database/connection/primary.js';
import { SessionLock } from '../../src/platform/database/connection/session-lock.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { HANG_MS } from '../support/time-outs.js';

const HEARTBEAT = 'select 1';
/** Longer than either waits for the answer to a heartbeat. */
const BUSY_MS = 3_200;

let test: TestDatabase;
let stop: () => Promise<void>;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(async () => {
  await stop();
  jest.restoreAllMocks();
});

/** Ends after so long, once PostgreSQL has answered the heartbeat of a connection. */
const UNTIL_ANSWERED = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import pg from 'pg';
  const [url, name, ms] = process.argv.slice(1);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const answered = \`select from pg_stat_activity where datname = current_database() and state = 'idle'
                       and query = '${HEARTBEAT}' and application_name = $1\`;
  while ((await client.query(answered, [name])).rowCount === 0) await sleep(20);
  await client.end();
  await sleep(Number(ms));`;

/** The process does nothing else from the next heartbeat until after its deadline; meanwhile the answer arrives. */
function busyAfterHeartbeat(name: string): { readonly count: number; readonly complaints: string } {
  const query: unknown = Reflect.get(GuardedClient.prototype, 'query');
  const busy = { count: 0, complaints: '' };
  jest.spyOn(GuardedClient.prototype, 'query').mockImplementation(function (this: GuardedClient, ...given: unknown[]) {
    const answer: unknown = Reflect.apply(query as () => unknown, this, given);
    if (given[0] !== HEARTBEAT || busy.count > 0) return answer;
    busy.count += 1;
    // Once it is sent.
    setImmediate(() => {
      const script = ['--input-type=module', '-e', UNTIL_ANSWERED, test.url, name, String(BUSY_MS)];
      busy.complaints = spawnSync(process.execPath, script, { timeout: HANG_MS }).stderr.toString();
    });
    return answer;
  });
  return busy;
}

const turns = async (): Promise<void> => {
  for (let at = 0; at < 20; at += 1) await turn();
};

describe('a process that was busy while the answer to its heartbeat arrived', () => {
  it('goes on following changes', async () => {
    const errors: unknown[] = [];
    const feed = new ChangeFeed(new Primary(test.url), (error) => errors.push(error));
    stop = () => feed.stop();
    const busy = busyAfterHeartbeat('matricula change feed');
    await feed.start();
    await turns();
    expect(busy).toEqual({ count: 1, complaints: '' });
    expect([feed.isFollowing, errors]).toEqual([true, []]);
  });

  it('is known to be alive', async () => {
    const lock = new SessionLock(new Primary(test.url));
    stop = () => lock.stop();
    const busy = busyAfterHeartbeat('matricula process');
    lock.start();
    await eventually('it is held', () => lock.isHeld);
    const sinceMs = performance.now();
    await eventually('a heartbeat is sent', () => busy.count === 1);
    await turns();
    expect(busy).toEqual({ count: 1, complaints: '' });
    expect(lock.isHeldSince(sinceMs)).toBe(true);
  });
});
