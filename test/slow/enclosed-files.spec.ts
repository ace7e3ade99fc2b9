import { PassThrough, Readable } from 'node:stream';
import { KIB, MIB } from '../../src/kernel/domain/bytes.js';
import type { ActionType } from '../../src/kernel/domain/event-action.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { DiskStore } from '../../src/events/files/disk-store.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { EnclosedFiles } from '../../src/webhooks/notification/enclosed-files.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

interface Asked {
  readonly eventId: Uuid;
  readonly actions: readonly ActionType[];
}

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ icuLocale: 'en-US' });
  await test.database.query(sql`
    insert into upload (id, uploader, path, event_id, transaction_id, type, bytes, sha256)
    select gen_random_uuid(), 'hospital', 'events/' || event || '/tx.png', event, event, 'image/png', 3, ''
      from (select gen_random_uuid() as event from generate_series(1, 5000)) as uploaded`);
  await test.database.query(sql`analyze upload`);
});
afterAll(() => test.drop());

describe('the files that a notification encloses', () => {
  it('are found by indexes, among all uploads of a database that sorts texts by a language', async () => {
    const query = jest.spyOn(test.database, 'query');
    await new EnclosedFiles(test.database, new DiskStore('/nowhere')).of(aUuid(), ['REGISTER']);
    const [statement] = query.mock.calls[0] ?? [];
    if (statement === undefined) throw new Error('nothing was asked');
    const plan = await test.database.query<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${statement}`);
    const scans = plan.flatMap((row) => /Scan (?:using|on) upload.*/.exec(row['QUERY PLAN'])?.[0] ?? []);
    expect(scans).toEqual(['Scan on upload', 'Scan on upload_named_by', 'Scan on upload_of_event']);
  });

  it('are those of the first events, if those of all are too much for memory together', async () => {
    const uploads = await test.database.query<{ readonly id: Uuid }>(
      sql`select event_id as id from upload order by event_id limit 4`,
    );
    const enclosed = new EnclosedFiles(test.database, new DiskStore('/nowhere'));
    const files = new Map([['a', { contentType: 'image/png', bytes: Buffer.alloc(7 * MIB) }]]);
    const read = jest.spyOn(enclosed, 'of').mockResolvedValue(files);
    const registered = uploads.map(({ id }): Asked => ({ eventId: id, actions: ['CREATE', 'REGISTER'] }));
    const [one, two, three, four] = registered as [Asked, Asked, Asked, Asked];
    const first = async (...events: readonly Asked[]): Promise<readonly [number, readonly Uuid[]]> => {
      const found = await enclosed.ofFirst(events);
      return [found.count, [...found.files.keys()]];
    };
    const without = { eventId: aUuid(), actions: ['REGISTER'] as const };
    expect(await first(without, one, without, two, three, four)).toEqual([4, [one.eventId, two.eventId]]);
    expect(await first(three, without, four)).toEqual([3, [three.eventId, four.eventId]]);
    expect(await first({ ...one, actions: ['DECLARE'] }, without)).toEqual([2, []]);
    expect(read.mock.calls.length).toBe(5);
  });

  it('are not read further once it is too late, also where the store opened one too late', async () => {
    await test.database.query(sql`
      with client as (
        insert into system_client (client_id, name, scopes, secret_hash, sha_secret_sealed, created_by)
        values (gen_random_uuid(), 'health', '{}', '', '', 'x') returning client_id)
      insert into webhook_subscription (id, client_id, topic, callback, format)
      select gen_random_uuid(), client_id, 'BIRTH_REGISTERED', 'https://health.example', 'standard' from client`);
    const [upload] = await test.database.query<{ readonly event: Uuid }>(
      sql`select event_id as event from upload limit 1`,
    );
    if (upload === undefined) throw new Error('there are no uploads');
    const store = new DiskStore('/nowhere');
    const stalled = new PassThrough();
    let opened: (stream: PassThrough) => void = () => undefined;
    jest.spyOn(store, 'open').mockReturnValue(new Promise((resolve) => (opened = resolve)));
    const enclosed = new EnclosedFiles(test.database, store);
    expect(await enclosed.of(upload.event, ['REGISTER'], AbortSignal.timeout(100))).toEqual(new Map());
    opened(stalled);
    await new Promise(setImmediate);
    expect(stalled.destroyed).toBe(true);
  });

  it('are those that were uploaded: of one with other bytes in the store no more is read, and others are enclosed', async () => {
    const [longer, shorter, whole] = await test.database.query<{ readonly event: Uuid }>(
      sql`select event_id as event from upload order by event_id limit 3`,
    );
    if (longer === undefined || shorter === undefined || whole === undefined) throw new Error('there are no uploads');
    let pieces = 0;
    function* endless(): Generator<Buffer> {
      for (; pieces < 1_000; pieces += 1) yield Buffer.alloc(64 * KIB);
    }
    const store = new DiskStore('/nowhere');
    jest
      .spyOn(store, 'open')
      .mockResolvedValueOnce(Readable.from(endless(), { objectMode: false }))
      .mockResolvedValueOnce(Readable.from([Buffer.from('ab')], { objectMode: false }))
      .mockResolvedValueOnce(Readable.from([Buffer.from('abc')], { objectMode: false }));
    const enclosed = new EnclosedFiles(test.database, store);
    const sizes = [];
    for (const { event } of [longer, shorter, whole]) sizes.push((await enclosed.of(event, ['REGISTER'])).size);
    expect(sizes).toEqual([0, 0, 1]);
    expect(pieces).toBeLessThan(10);
  });
});
