import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Caller } from '../../src/kernel/domain/scopes/caller.js';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import type { ActionType, EventDocument } from '../../src/kernel/domain/event-action.js';
import { askedAction } from '../../src/events/operations/decisions/asked-action.js';
import { deleteEvents } from '../../src/events/records/write-changes.js';
import { lockStoredEvents } from '../../src/events/records/stored-events.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { MIB } from '../../src/kernel/domain/bytes.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { type EventProcess, eventProcess } from '../support/event-writers.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let one: EventProcess;
let other: EventProcess;
let settled: string[];
beforeAll(async () => {
  test = await createTestDatabase();
  one = eventProcess(test.database);
  other = eventProcess(test.database);
});
afterAll(() => test.drop());
beforeEach(() => {
  settled = [];
});

const { signal: hungUp } = new AbortController();

function callerNamed(sub: string): Caller {
  const scope = ['record.read', 'record.edit', 'record.register'];
  return callerOf({ sub, userType: 'user', scope }, () => undefined);
}
const registrar = { caller: callerNamed('registrar'), hungUp };

async function declared(): Promise<EventDocument> {
  const document = anEventDocument({ actions: [anAction(), anAction({ type: 'DECLARE' })] });
  await one.writer.submit({
    ...{ client: 'feed', eventId: document.id, size: 1_000 },
    decide: () => ({ answer: undefined, change: { kind: 'create', document } }),
  });
  return document;
}

interface Holder {
  readonly release: () => Promise<void>;
  readonly deleteAll: () => Promise<void>;
}

/** Another session that holds these events locked, as the writer of another process does. */
async function heldElsewhere(...events: readonly EventDocument[]): Promise<Holder> {
  const ending = new EventEmitter();
  const ids = events.map(({ id }) => id);
  const held = test.database.transaction(async (transaction) => {
    const stored = await lockStoredEvents(transaction, ids);
    ending.emit('locked');
    const [how] = (await once(ending, 'end')) as ['release' | 'delete'];
    if (how === 'delete') await deleteEvents(transaction, [...stored.values()]);
  });
  await once(ending, 'locked');
  const end = (how: 'release' | 'delete') => () => {
    ending.emit('end', how);
    return held;
  };
  return { release: end('release'), deleteAll: end('delete') };
}

interface Asked {
  readonly type: ActionType;
  readonly by?: typeof registrar;
  readonly through?: EventProcess;
  readonly transactionId?: string;
}

interface Done {
  readonly types: readonly string[];
  readonly registrationNumber?: string | undefined;
}

/** What it did or why not; its name is among `settled` from then on. */
async function act(
  name: string,
  { id }: EventDocument,
  { type, by = registrar, through = one, transactionId = randomUUID() }: Asked,
): Promise<Done> {
  const declaration = type === 'ASSIGN' ? undefined : { 'child.dob': '2026-01-02' };
  try {
    const view = await through.operations.act(id, askedAction(type, { transactionId, declaration }), by);
    const { actions } = view as Pick<EventDocument, 'actions'>;
    const numbers = actions.flatMap(({ registrationNumber }) => registrationNumber ?? []);
    return { types: actions.map((action) => action.type), registrationNumber: numbers.at(-1) };
  } finally {
    settled.push(name);
  }
}

/** Each in a batch of its own, of a writer that is free. */
const laterTurn = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 20));

describe('an operation whose event another session holds locked', () => {
  it('leaves its batch, and is done once the event is released', async () => {
    const [held, ...free] = [await declared(), await declared(), await declared()];
    const holder = await heldElsewhere(held);
    const waiting = act('held', held, { type: 'ASSIGN' });
    const answers = await Promise.all(free.map((event, at) => act(`free ${at}`, event, { type: 'ASSIGN' })));
    expect(answers.map(({ types }) => types)).toEqual(free.map(() => ['CREATE', 'DECLARE', 'ASSIGN']));
    expect(settled.toSorted()).toEqual(['free 0', 'free 1']);
    expect(one.writer.load).toMatchObject({ waiting: 1 });
    await holder.release();
    expect((await waiting).types).toEqual(['CREATE', 'DECLARE', 'ASSIGN']);
    expect(one.writer.load).toMatchObject({ waiting: 0, waitingBytes: 0 });
  });

  it('is refused at once beyond the bytes that are held together, and those before it are done', async () => {
    const [former, latter] = [await declared(), await declared()];
    const holder = await heldElsewhere(former, latter);
    const large = ({ id: eventId }: EventDocument) =>
      one.writer.submit({ client: 'large', eventId, size: 40 * MIB, decide: () => ({ answer: 'done' }) });
    const first = large(former);
    await laterTurn();
    await expect(large(latter)).rejects.toMatchObject({ message: 'The event is being changed; try again later' });
    expect(one.writer.load).toMatchObject({ waiting: 1, waitingBytes: 40 * MIB });
    await holder.release();
    expect(await first).toBe('done');
  });

  it('leaves both connections to the others, however many are held', async () => {
    const [free, ...held] = [await declared(), await declared(), await declared(), await declared()];
    const holder = await heldElsewhere(...held);
    const waiting: Promise<Done>[] = [];
    for (const event of held) {
      waiting.push(act('held', event, { type: 'ASSIGN' }));
      await laterTurn();
    }
    expect((await act('free', free, { type: 'ASSIGN' })).types).toEqual(['CREATE', 'DECLARE', 'ASSIGN']);
    expect(settled).toEqual(['free']);
    await holder.release();
    expect((await Promise.all(waiting)).map(({ types }) => types.at(-1))).toEqual(held.map(() => 'ASSIGN'));
  });

  it('is not overtaken by a later one on the event, and is done once, whoever repeats it', async () => {
    const [held, free] = [await declared(), await declared()];
    const holder = await heldElsewhere(held);
    const transactionId = randomUUID();
    const first = act('first', held, { type: 'ASSIGN', transactionId });
    const again = act('again', held, { type: 'ASSIGN', transactionId, through: other });
    await laterTurn();
    const second = act('second', held, { type: 'UNASSIGN' });
    const last = act('last', held, { type: 'ASSIGN' });
    await act('free', free, { type: 'ASSIGN' });
    expect(settled).toEqual(['free']);
    await holder.release();
    await Promise.all([first, again, second, last]);
    expect(settled.filter((name) => name !== 'again')).toEqual(['free', 'first', 'second', 'last']);
    expect((await last).types).toEqual(['CREATE', 'DECLARE', 'ASSIGN', 'UNASSIGN', 'ASSIGN']);
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
  });

  it('is decided on what its holder leaves: an event that is deleted is gone', async () => {
    const [held, free] = [await declared(), await declared()];
    const holder = await heldElsewhere(held);
    const waiting = Promise.allSettled([act('held', held, { type: 'ASSIGN' })]);
    await act('free', free, { type: 'ASSIGN' });
    expect(settled).toEqual(['free']);
    await holder.deleteAll();
    expect(await waiting).toMatchObject([{ status: 'rejected', reason: { code: 'NOT_FOUND' } }]);
  });

  it('keeps the registration number that it was given, whatever time it waits', async () => {
    const [held, free, next] = [await declared(), await declared(), await declared()];
    for (const event of [held, free, next]) await act('assign', event, { type: 'ASSIGN' });
    const holder = await heldElsewhere(held);
    const waiting = act('held', held, { type: 'REGISTER' });
    const registered = await act('free', free, { type: 'REGISTER' });
    await holder.release();
    const numbers = [await waiting, registered].map(({ registrationNumber }) => registrationNumber);
    expect(numbers.toSorted()).toEqual(['0001', '0002']);
    expect(await act('next', next, { type: 'REGISTER' })).toMatchObject({ registrationNumber: '0003' });
  });

  it('is refused after ten seconds, while others are answered, and has changed nothing', async () => {
    const [held, free, another] = [await declared(), await declared(), await declared()];
    const holder = await heldElsewhere(held, another);
    const transactionId = randomUUID();
    const waiting = Promise.allSettled([
      act('held', held, { type: 'ASSIGN', transactionId }),
      act('another', another, { type: 'ASSIGN', by: { caller: callerNamed('another'), hungUp } }),
    ]);
    await act('free', free, { type: 'ASSIGN' });
    expect(settled).toEqual(['free']);
    const refusal = {
      status: 'rejected',
      reason: {
        ...{ code: 'SERVICE_UNAVAILABLE', message: 'The event is being changed; try again later' },
        ...{ refusal: 'writes-waiting', headers: { 'retry-after': '5' } },
      },
    };
    expect(await waiting).toMatchObject([refusal, refusal]);
    await holder.release();
    expect((await act('again', held, { type: 'ASSIGN', transactionId })).types).toEqual([
      ...['CREATE', 'DECLARE', 'ASSIGN'],
    ]);
  });
});

describe('operations that wait together for what another session holds locked', () => {
  it('are refused soon after ten seconds, however many they are, and have changed nothing', async () => {
    const events = await Promise.all(Array.from({ length: 6 }, () => declared()));
    const ending = new EventEmitter();
    const held = test.database.transaction(async (transaction) => {
      await transaction.query(sql`lock table performed_operation in share mode`);
      ending.emit('locked');
      await once(ending, 'end');
    });
    await once(ending, 'locked');
    const transactionIds = events.map(() => randomUUID());
    const ask = (): Promise<Done>[] =>
      events.map((event, at) => act(`${at}`, event, { type: 'ASSIGN', transactionId: transactionIds[at] ?? '' }));
    const beganMs = performance.now();
    const refused = await Promise.allSettled(ask());
    const tookMs = performance.now() - beganMs;
    ending.emit('end');
    await held;
    expect(refused).toMatchObject(
      events.map(() => ({ status: 'rejected', reason: { refusal: 'writes-waiting', code: 'SERVICE_UNAVAILABLE' } })),
    );
    // They waited for the lock one by one: a minute more.
    expect(tookMs).toBeLessThan(40_000);
    const types = (await Promise.all(ask())).map((done) => done.types);
    expect(types).toEqual(events.map(() => ['CREATE', 'DECLARE', 'ASSIGN']));
  });
});
