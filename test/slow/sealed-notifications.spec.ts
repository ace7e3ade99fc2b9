import { randomUUID } from 'node:crypto';
import { sql } from '../../src/kernel/sql/sql.js';
import { OFFICE } from '../support/areas.js';
import { eventCaller, startEventService } from '../support/event-service.js';
import { eventually } from '../support/eventually.js';
import { isRedisInstalled, type RedisServer, startRedisServer } from '../support/redis-server.js';
import { answers, type ScriptedSubscriber, startScriptedSubscriber } from '../support/scripted-subscriber.js';

const NOT_SEALED = ['search', 'read'].map((operation) => `type=record.${operation}&flags.noneOf=sealed`);
const OF_A_REGISTRAR = ['create', 'read', 'search', 'declare', 'register', 'print-certified-copies', 'custom-action'];

interface Topical {
  readonly payload: { readonly event: { readonly hub: { readonly topic: string } } };
}
const topicsOf = ({ notifications }: ScriptedSubscriber): readonly string[] => [
  ...new Set(notifications.map(({ body }) => (JSON.parse(body.toString()) as Topical).payload.event.hub.topic)),
];

/** Closed after each test, the latest first. */
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

function contract(environment: () => Readonly<Record<string, string>>): void {
  it('that is owed since before the sealing is sent as it is; of what happens later none is made', async () => {
    const [outside, inside] = [await startScriptedSubscriber(), await startScriptedSubscriber()];
    opened.push(outside, inside);
    const running = await startEventService({
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA: outside.authority,
      WEBHOOK_RETRY_SECONDS: Array.from({ length: 60 }, () => '0.5').join(),
      ...environment(),
    });
    opened.push({ close: () => running.stop() });
    const { service, database } = running;
    const subscribed = async (subscriber: ScriptedSubscriber, ...scopes: readonly string[]): Promise<void> => {
      const { clientId } = await service.registerClient('WEBHOOK');
      await database.database.query(
        sql`update system_client set scopes = ${['webhook', ...scopes]}::text[] where client_id = ${clientId}`,
      );
      for (const topic of ['BIRTH_REGISTERED', 'BIRTH_CERTIFIED']) {
        await database.database.query(sql`
          insert into webhook_subscription (id, client_id, topic, callback, format)
          values (${randomUUID()}, ${clientId}, ${topic}, ${subscriber.url()}, 'standard')`);
      }
    };
    await subscribed(outside, ...NOT_SEALED);
    await subscribed(inside, 'record.search', 'record.read');
    outside.behave(answers(500));

    const scope = OF_A_REGISTRAR.map((operation) => `record.${operation}`);
    const user = { sub: 'registrar', userType: 'user', scope, office: OFFICE } as const;
    const registrar = eventCaller(service, await service.issuer.token(user));
    const { event } = await registrar.post('', { transactionId: randomUUID(), type: 'birth' });
    const act = async (action: string, more: object = {}): Promise<void> => {
      const body = { transactionId: randomUUID(), keepAssignment: true, ...more };
      const { status, message } = await registrar.post(`/${event.id}/actions/${action}`, body);
      expect([action, status, message]).toEqual([action, 200, undefined]);
    };
    await act('declare', { declaration: { 'child.name': { firstname: 'Ana', surname: 'Musonda' } } });
    await act('register');
    await eventually('a first attempt', () => outside.notifications.length > 0);

    await act('custom/SEAL');
    await act('print-certificate');
    await eventually('who may know of it is told', () => topicsOf(inside).length === 2);
    outside.behave(answers(200));
    await eventually('nothing is owed', async () => {
      const owed = await database.database.query(sql`select from webhook_delivery where status <> 'delivered'`);
      return owed.length === 0;
    });
    // The bytes were made when nothing was sealed, and tell nothing of what happened since (W-4).
    expect(new Set(outside.notifications.map(({ body }) => body.toString())).size).toBe(1);
    expect(topicsOf(outside)).toEqual(['BIRTH_REGISTERED']);
    expect([...topicsOf(inside)].sort()).toEqual(['BIRTH_CERTIFIED', 'BIRTH_REGISTERED']);
  });
}

describe('a notification of a sealed record (E-10, W-11)', () => {
  describe('dispatched in the process', () => {
    contract(() => ({}));
  });

  (isRedisInstalled() ? describe : describe.skip)('dispatched through Bull', () => {
    let redis: RedisServer;
    beforeAll(async () => {
      redis = await startRedisServer();
    });
    afterAll(() => redis.stop());
    contract(() => ({ REDIS_URL: redis.url }));
  });
});
