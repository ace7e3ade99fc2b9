import { CountryConfiguration } from '../../src/auth/tokens/country-configuration.js';
import { reportNotices } from '../../src/auth/notices/notice-report.js';
import { NoticeSender } from '../../src/auth/notices/notice-sender.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { loseLockBeforePosting } from '../support/lost-lock.js';
import { type NoticeService, noticeTo, startNoticeService } from '../support/notice-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import {
  answers,
  hangs,
  inTurn,
  type ScriptedSubscriber,
  startScriptedSubscriber,
} from '../support/scripted-subscriber.js';

let test: TestDatabase;
let country: ScriptedSubscriber;
let service: NoticeService;

beforeAll(async () => {
  test = await createTestDatabase();
  country = await startScriptedSubscriber({ tls: false });
  service = await startNoticeService(test, { COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}/country/` });
});
afterAll(async () => {
  await service.close();
  await country.close();
  await test.drop();
});
beforeEach(async () => {
  country.behave(answers(200));
  country.forget();
  await test.database.query(sql`delete from user_notice`);
});

const settledAs = (userId: Uuid, status: string): Promise<void> =>
  eventually(`the notice is ${status}`, async () => (await noticeTo(test, userId)).status === status);
const report = () => reportNotices(test.database, { since: new Date(Date.now() - 3_600_000), limit: 10 });
const anyTime = expect.any(Date) as Date;
const erased = { status: 'delivered', failures: 0, isErased: true };

describe('a notice to a user', () => {
  it('is posted with a token of the service, and erased when it was taken (U-9)', async () => {
    const userId = await service.notify('123456');
    await settledAs(userId, 'delivered');
    const [posted, ...others] = country.notifications;
    expect([posted?.method, posted?.target, others]).toEqual(['POST', '/country/trigger/user/2fa', []]);
    expect(JSON.parse(posted?.body.toString() ?? '')).toEqual({
      recipient: { name: { firstname: 'Ann', surname: 'Musonda' }, email: 'ann@example.com' },
      code: '123456',
    });
    const claims = posted?.headers.authorization?.split('.')[1] ?? '';
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: ['opencrvs:countryconfig-user'],
      scope: [],
    });
    expect(await noticeTo(test, userId)).toEqual(erased);
  });

  it('is sent again while the country configuration is down, and given up and erased after the last attempt', async () => {
    country.behave(inTurn(answers(503), answers(404), answers(204)));
    const late = await service.notify('1');
    await settledAs(late, 'delivered');
    expect(await noticeTo(test, late)).toEqual({ ...erased, failures: 2 });
    country.behave(answers(503));
    const never = await service.notify('2');
    await settledAs(never, 'dead');
    expect(await noticeTo(test, never)).toEqual({ status: 'dead', failures: 4, isErased: true });
    // It says so when it has recorded it.
    await eventually('it is said', () => service.lines.includes('a 2fa is given up: answered 503'));
    const { events, dead } = await report();
    expect(events[0]).toEqual({ event: '2fa', pending: 0, oldestPending: null, delivered: 1, expired: 0, dead: 1 });
    const given = { event: '2fa', userId: never, failures: 4, reason: 'answered 503' };
    expect(dead).toEqual([{ ...given, createdAt: anyTime, deadAt: anyTime }]);
  });

  it('is not sent by a claim from before the lock was lost: others may have claimed it since (W-16)', async () => {
    const posting = loseLockBeforePosting(service.app);
    await settledAs(await service.notify('123456'), 'delivered');
    expect([posting.mock.calls.length, country.notifications.length]).toEqual([2, 1]);
    posting.mockRestore();
  });

  it.each([
    ['its lease may be over (W-8)', { hungMs: 60_000, livesMs: 3_600_000 }],
    ['it has expired (U-9)', { hungMs: 6_000, livesMs: 5_000 }],
  ])('is not sent by a claim whose process has hung since: %s', async (_, { hungMs, livesMs }) => {
    const country = service.app.get(CountryConfiguration, { strict: false });
    const post = country.post.bind(country);
    const posting = jest.spyOn(country, 'post').mockImplementationOnce(async (order) => {
      const muchLaterMs = performance.now() + hungMs;
      const isWanted = (): boolean => {
        const clock = jest.spyOn(performance, 'now').mockReturnValue(muchLaterMs);
        const wanted = order.isWanted();
        clock.mockRestore();
        return wanted;
      };
      return post({ ...order, isWanted });
    });
    await settledAs(await service.notify('123456', { livesMs }), 'delivered');
    expect(posting).toHaveBeenCalledTimes(2);
    posting.mockRestore();
  });

  it('is not sent once it has expired, and erased', async () => {
    country.behave(answers(503, { 'retry-after': '3600' }));
    const userId = await service.notify('1');
    await eventually('it is posted', () => country.notifications.length === 1);
    await eventually('it waits', async () => (await noticeTo(test, userId)).failures === 1);
    const oldestPending = { createdAt: anyTime, expiresAt: anyTime, failures: 1, lastFailure: 'answered 503' };
    expect((await report()).events[0]).toMatchObject({ pending: 1, oldestPending });
    country.behave(answers(200));
    await test.database.query(sql`update user_notice set next_attempt_at = now(), expires_at = now()`);
    await service.app.get(NoticeSender).maintain();
    expect(await noticeTo(test, userId)).toEqual({ status: 'expired', failures: 1, isErased: true });
    expect(country.notifications).toHaveLength(1);
    await test.database.query(sql`update user_notice set settled_at = now() - interval '31 days'`);
    await service.app.get(NoticeSender).maintain();
    await expect(noticeTo(test, userId)).rejects.toThrow('there is no notice');
  });

  it('is not delayed by those of another event that hang', async () => {
    country.behave((request, answer, socket) => {
      (request.target.includes('link') ? hangs : answers(200))(request, answer, socket);
    });
    const hanging: Uuid[] = [];
    for (let code = 0; code < 30; code += 1)
      hanging.push(await service.notify(String(code), { event: 'password-reset-link' }));
    await settledAs(await service.notify('123456'), 'delivered');
    expect((await noticeTo(test, hanging.at(-1) ?? ('' as Uuid))).status).toBe('pending');
  });

  it('is told of at the start, where its link would lead nobody anywhere', async () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: test.url, COUNTRY_CONFIG_URL: 'http://127.0.0.1:9' };
    const lines: (readonly string[])[] = [];
    for (const page of [{}, { LOGIN_URL: 'https://sign-in.example' }, { PUBLIC_URL: 'https://register.example' }]) {
      const started = await startNoticeService(test, { ...production, ...page });
      await started.close();
      lines.push(started.lines.filter((line) => line.includes('LOGIN_URL')));
    }
    const said = 'neither LOGIN_URL nor PUBLIC_URL is set: the links that users are sent lead to localhost';
    expect(lines).toEqual([[said], [], []]);
  });

  it('is sent once, of many that waited while the country configuration was down', async () => {
    await service.close();
    const waiting = await startNoticeService(test, { NODE_ENV: 'production', DATABASE_URL: test.url });
    for (let code = 0; code < 500; code += 1) await waiting.notify(String(code));
    await waiting.close();
    expect(waiting.lines.at(-1)).toBe('COUNTRY_CONFIG_URL is not set: users are sent neither codes nor links');
    service = await startNoticeService(test, { COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}` });
    const counted = (): Promise<{ readonly status: string; readonly count: number }[]> =>
      test.database.query(sql`select status, count(*)::int as count from user_notice group by status`);
    await eventually('nothing waits', async () => (await counted()).every(({ status }) => status !== 'pending'));
    expect(await counted()).toEqual([{ status: 'delivered', count: 500 }]);
    const codes = country.notifications.map(({ body }) => (JSON.parse(body.toString()) as { code: string }).code);
    expect(new Set(codes).size).toBe(500);
    expect(codes).toHaveLength(500);
  });
});

describe('without a country configuration', () => {
  it('a notice is shown in the log of a development', async () => {
    await service.close();
    service = await startNoticeService(test, {});
    await settledAs(await service.notify('123456'), 'delivered');
    expect(service.lines).toContain('2fa to Ann Musonda, ann@example.com: code 123456');
    expect(service.app.get(NoticeSender).state).toBeUndefined();
  });
});
