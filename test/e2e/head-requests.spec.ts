import type { OpenAPIObject } from '@nestjs/swagger';

import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventually } from '../support/eventually.js';
import { aNotification, eventCaller, startEventService } from '../support/event-service.js';

let running: Awaited<ReturnType<typeof startEventService>>;
let token: string;
let eventId: string;
beforeAll(async () => {
  running = await startEventService();
  const { service } = running;
  const clinic = eventCaller(service, (await service.registerClient('HEALTH')).token);
  eventId = (await clinic.post('/notify', aNotification({ eventType: 'birth' }))).event.id;
  const scope = ['record.read', 'record.search', 'record.review-duplicates', 'natlsysadmin', 'sysadmin'];
  // Its row is written a moment after the answer, and is the last one.
  await eventually('the notification is audited', async () =>
    (await operations()).includes('event.actions.notify.request'),
  );
  token = await service.issuer.token({ sub: 'registrar', userType: 'user', scope });
});
afterAll(() => running.stop());

const operations = async (): Promise<readonly string[]> => {
  const rows = await running.database.database.query<{ operation: string }>(sql`
    select operation from audit_log order by created_at, id`);
  return rows.map(({ operation }) => operation);
};

const written = async (): Promise<unknown> => {
  const { database } = running.database;
  await database.query(sql`select pg_sleep(0.1)`);
  return database.query(
    sql`select (select count(*)::int from event_history) as actions, (select count(*)::int from audit_log) as audited`,
  );
};
const head = (path: string) => running.service.request('HEAD', path, { token, listener: 'internal' });

describe('HEAD', () => {
  it.each([
    ['/events/{eventId}', 'DELETE, GET'],
    ['/events/events/{eventId}', 'DELETE, GET'],
    ['/events/{eventId}/duplicates', 'GET'],
    ['/events/{eventId}/files/{fileId}/url', 'GET'],
    ['/event.get?input={"json":"{eventId}"}', 'GET, POST'],
  ])('of %s, whose GET leaves something behind, is none of its methods', async (path, allow) => {
    const before = await written();
    const { status, headers } = await head(encodeURI(path.replace('{eventId}', eventId).replace('{fileId}', 'a.pdf')));
    expect([status, headers.allow]).toEqual([405, allow]);
    expect(await written()).toEqual(before);
  });

  it('of whatever else has a GET writes nothing', async () => {
    const document = (await running.service.request('GET', '/openapi.json', { listener: 'internal' }))
      .json as OpenAPIObject;
    const paths = Object.entries(document.paths).filter(([, item]) => item.get !== undefined);
    expect(paths.length).toBeGreaterThan(15);
    const before = await written();
    const statuses = await Promise.all(
      paths.map(([path]) =>
        head(path.replace('{eventId}', eventId).replace(/\{\w+\}/g, aUuid(1))).then(({ status }) => status),
      ),
    );
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(await written()).toEqual(before);
  });
});
