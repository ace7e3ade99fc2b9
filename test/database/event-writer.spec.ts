import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Caller } from '../../src/kernel/domain/scopes/caller.js';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import type { ActionType } from '../../src/kernel/domain/event-action.js';
import { ServiceError } from '../../src/kernel/errors/service-error.js';
import { askedAction, eventIdOf } from '../../src/events/operations/decisions/asked-action.js';
import { freeTrackingIds } from '../../src/events/write/open-batch.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { aUuid } from '../support/builders/a-uuid.js';
import type { AnsweredEvent } from '../support/event-service.js';
import { Crash, type EventProcess, eventProcess, rowsIn } from '../support/event-writers.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let one: EventProcess;
let other: EventProcess;
beforeAll(async () => {
  test = await createTestDatabase();
  one = eventProcess(test.database);
  other = eventProcess(test.database);
});
afterAll(() => test.drop());
beforeEach(() => {
  one.crashAt(Infinity);
});

function callerWith(sub: string, userType: 'user' | 'system', ...scope: readonly string[]): Caller {
  return callerOf({ sub, userType, scope }, () => undefined);
}

const { signal: hungUp } = new AbortController();
const clinic = { caller: callerWith('clinic', 'system', 'record.create', 'record.notify', 'record.read'), hungUp };
const ACTS = ['notify', 'declare', 'edit', 'register', 'reject', 'archive', 'unarchive', 'correct', 'custom-action'];
const registrar = {
  caller: callerWith('registrar', 'user', 'record.create', 'record.read', ...ACTS.map((act) => `record.${act}`)),
  hungUp,
};

const aBirth = (transactionId: string = randomUUID(), name = 'Ana') => ({
  ...{ transactionId, eventType: 'birth', createdAtLocation: aUuid(5) },
  declaration: { 'child.name': { firstname: name, surname: 'Musonda' } },
});

/** As it arrives. */
const sent = (view: object): AnsweredEvent => JSON.parse(JSON.stringify(view)) as AnsweredEvent;

const notify = async (process: EventProcess, body = aBirth()): Promise<AnsweredEvent> =>
  // Each request has a signal of its own.
  sent(await process.operations.createAndNotify(body, { ...clinic, hungUp: new AbortController().signal }));

describe('what waits together', () => {
  it('makes one event of each transactionId, however often and wherever it is sent', async () => {
    const transactions = Array.from({ length: 10 }, () => randomUUID());
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => notify(at % 2 === 0 ? one : other, aBirth(transactions[at % 10]))),
    );
    const byTransaction = transactions.map((_, at) => answers.filter((__, index) => index % 10 === at));
    for (const [first, ...others] of byTransaction) for (const answer of others) expect(answer).toEqual(first);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(10);
    expect(new Set(answers.map(({ trackingId }) => trackingId)).size).toBe(10);
  });

  it('refuses alone what the database refuses', async () => {
    const [first] = [await notify(one)];
    const stolen = anEventDocument({ trackingId: first.trackingId, actions: [anAction()] });
    const outcomes = await Promise.allSettled([
      notify(one),
      one.writer.submit({
        ...{ client: 'feed', eventId: stolen.id, size: 1 },
        decide: () => ({ answer: undefined, change: { kind: 'merge', document: stolen } }),
      }),
      notify(one),
      one.writer.submit({
        ...{ client: 'feed', eventId: aUuid(0xdead), size: 1 },
        decide: () => {
          throw new RangeError('a poisoned command');
        },
      }),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : String(outcome.reason)))).toEqual([
      'done',
      'ServiceError: Another event has what must be unique',
      'done',
      'RangeError: a poisoned command',
    ]);
  });

  it('is refused in a way that is counted while somebody else holds its event', async () => {
    await test.database.query(sql`
      create function held() returns trigger language plpgsql as 'begin raise lock_not_available; end'`);
    await test.database.query(sql`
      create trigger held before insert on performed_operation for each row execute function held()`);
    const refused = notify(one);
    await expect(refused).rejects.toMatchObject({
      ...{ code: 'SERVICE_UNAVAILABLE', message: 'The event is being changed; try again later' },
      refusal: 'writes-waiting',
    });
    await test.database.query(sql`drop function held() cascade`);
  });

  it('is written for the server that has it in the end, whatever another one had', async () => {
    const elsewhere = await createTestDatabase();
    const { database } = elsewhere;
    const forget: (() => void)[] = [];
    jest.spyOn(database.primary, 'onNewServer').mockImplementation((listener) => forget.push(listener));
    const process = eventProcess(database);
    await notify(process);

    const spy = jest.spyOn(database, 'transactionFrom').mockImplementationOnce(async (...given) => {
      await database.query(sql`update fuzzy_path set id = default`);
      await database.query(sql`delete from fuzzy_word`);
      for (const listener of forget) listener();
      spy.mockRestore();
      return database.transactionFrom(...given);
    });
    await notify(process);
    const words = await database.query(sql`
      select word, path is not null as "hasPath" from fuzzy_word left join fuzzy_path on id = path_id
       where word in ('ana', 'musonda') group by 1, 2 order by 1`);
    expect(words).toEqual([
      { word: 'ana', hasPath: true },
      { word: 'musonda', hasPath: true },
    ]);
    await elsewhere.drop();
  });

  it('is counted while it waits, with its bytes', async () => {
    const submitted = [10, 20].map((size, at) =>
      one.writer.submit({
        ...{ client: 'feed', eventId: aUuid(0xf00 + at), size },
        decide: () => {
          throw new RangeError('a poisoned command');
        },
      }),
    );
    const outcomes = Promise.allSettled(submitted);
    // They wait for their turn from the next turn of the event loop on.
    await Promise.resolve();
    expect(one.writer.load).toEqual({ waiting: 2, waitingBytes: 30, running: 0 });
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await new Promise(setImmediate);
    expect(one.writer.load).toEqual({ waiting: 0, waitingBytes: 0, running: 0 });
  });

  it('is not begun for a caller who has gone', async () => {
    const gone = new AbortController();
    const before = await rowsIn(test.database);
    const notified = one.operations.createAndNotify(aBirth(), { ...clinic, hungUp: gone.signal });
    // It waits for its turn from the next turn of the event loop on.
    await Promise.resolve();
    gone.abort(new Error('the client hung up'));
    await expect(notified).rejects.toThrow('the client hung up');
    expect(await rowsIn(test.database)).toEqual(before);
  });
});

describe('a crash', () => {
  it('between any two statements leaves nothing, and a repetition does the whole', async () => {
    await notify(one);
    const before = await rowsIn(test.database);
    const body = aBirth(randomUUID(), 'Chilufya');
    one.crashAt(Infinity);
    let statement = 0;
    for (; ; statement += 1) {
      one.crashAt(statement);
      const outcome = await notify(one, body).catch((error: unknown) => error);
      if (!(outcome instanceof Crash)) break;
      expect(await rowsIn(test.database)).toEqual(before);
    }
    expect(statement).toBeGreaterThan(3);
    const after = await rowsIn(test.database);
    expect({ ...after, fuzzy_word: 0, data_shape: 0 }).toEqual({
      ...before,
      ...{ fuzzy_word: 0, data_shape: 0 },
      ...{ event: (before['event'] ?? 0) + 1, event_history: (before['event_history'] ?? 0) + 1 },
      ...{ event_search: (before['event_search'] ?? 0) + 1, event_document: (before['event_document'] ?? 0) + 1 },
      ...{ performed_operation: (before['performed_operation'] ?? 0) + 1, audit_log: (before['audit_log'] ?? 0) + 1 },
      bitmap_dirty: (before['bitmap_dirty'] ?? 0) + 1,
    });
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
  });
});

describe('tracking ids', () => {
  it('are drawn again where they are taken (R-6)', async () => {
    const { trackingId } = await notify(one);
    const drawn = [...Array.from({ length: 5 }, () => trackingId), 'FREE01', 'FREE01', 'FREE02', 'FREE03', 'FREE04'];
    expect(await freeTrackingIds(test.database, 1, () => drawn.shift() ?? 'FREE05')).toContain('FREE01');
    await expect(freeTrackingIds(test.database, 1, () => trackingId)).rejects.toThrow('not 1 free ones');
  });
});

describe('a draft', () => {
  it('has no derived rows until it is declared, and leaves none when it is deleted', async () => {
    const before = await rowsIn(test.database);
    const create = () => one.operations.create({ transactionId: randomUUID(), type: 'birth' }, registrar);
    const [gone, kept] = [await create(), await create()].map(({ id }) => eventIdOf(String(id)));
    if (gone === undefined || kept === undefined) throw new Error('there are two drafts');
    await one.operations.read(gone, registrar);
    await one.operations.delete(gone, registrar);
    const after = await rowsIn(test.database);
    expect(after).toMatchObject({ event_search: before['event_search'], event_document: before['event_document'] });
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
    const declare = askedAction('DECLARE', { transactionId: randomUUID(), declaration: { 'child.dob': '2026-01-02' } });
    await one.operations.act(kept, declare, registrar);
    expect(await rowsIn(test.database)).toMatchObject({ event_search: (before['event_search'] ?? 0) + 1 });
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
  });
});

describe('an operation that finds everything so already', () => {
  it('uses its transactionId up: what is repeated late changes nothing', async () => {
    const { id } = await one.operations.create({ transactionId: randomUUID(), type: 'birth' }, registrar);
    const eventId = eventIdOf(String(id));
    const act = async (type: 'ASSIGN' | 'UNASSIGN', transactionId: string): Promise<readonly string[]> => {
      const asked = askedAction(type, { transactionId });
      return sent(await other.operations.act(eventId, asked, registrar)).actions.map((action) => action.type);
    };
    expect(await act('ASSIGN', 'one')).toEqual(['CREATE', 'ASSIGN']);
    expect(await act('UNASSIGN', 'two')).toEqual(['CREATE', 'ASSIGN', 'UNASSIGN']);
    expect(await act('ASSIGN', 'one')).toEqual(['CREATE', 'ASSIGN', 'UNASSIGN']);
    expect(await act('ASSIGN', 'three')).toEqual(['CREATE', 'ASSIGN', 'UNASSIGN', 'ASSIGN']);
    await one.operations.delete(eventId, registrar);
  });
});

describe('random operations', () => {
  const acts: readonly ActionType[] = [
    ...(['NOTIFY', 'DECLARE', 'EDIT', 'REGISTER', 'REJECT', 'ARCHIVE', 'UNARCHIVE'] as const),
    ...(['REQUEST_CORRECTION', 'REJECT_CORRECTION', 'APPROVE_CORRECTION', 'ASSIGN', 'UNASSIGN', 'READ'] as const),
  ];
  const step = fc.record({
    event: fc.nat(3),
    type: fc.constantFrom(...acts),
    asClinic: fc.boolean(),
    name: fc.constantFrom('Ana', 'Bwalya', 'Chola'),
    keepAssignment: fc.boolean(),
  });

  it('leave what is derived equal to a replay, and one audit row for each of a client', async () => {
    const events = [await notify(one), await notify(one), await notify(one), await notify(one)];
    const ids = events.map(({ id }) => eventIdOf(id));
    const [audited] = [(await rowsIn(test.database))['audit_log'] ?? 0];
    let ofClients = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        for (const { event, type, asClinic, name, keepAssignment } of steps) {
          const id = ids[event] ?? aUuid(0);
          const asker = asClinic ? clinic : registrar;
          const read = sent(await one.operations.read(id, registrar));
          const request = read.actions.findLast((action) => action.type === 'REQUEST_CORRECTION');
          const content = NEEDS_REASON.has(type) ? { reason: 'because' } : undefined;
          const asked = askedAction(type === 'READ' ? 'EDIT' : type, {
            ...{ transactionId: randomUUID(), keepAssignment, content, requestId: request?.id ?? aUuid(9) },
            declaration: { 'child.name': { firstname: name } },
          });
          const done = await one.operations.act(id, asked, asker).then(
            () => true,
            (error: unknown) => {
              if (!(error instanceof ServiceError)) throw error;
              return false;
            },
          );
          if (done && asClinic && type !== 'ASSIGN' && type !== 'UNASSIGN') ofClients += 1;
        }
        expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
      }),
      { numRuns: 6 },
    );
    expect((await rowsIn(test.database))['audit_log']).toBe(audited + ofClients);
    expect((await test.database.query(sql`select from event where is_draft`)).length).toBe(0);
  });
});

const NEEDS_REASON: ReadonlySet<ActionType> = new Set<ActionType>(['REJECT', 'ARCHIVE', 'REJECT_CORRECTION']);
