import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import { areaTerm } from '../../src/events/index/areas/area-terms.js';
import { beginBitmaps, buildBitmap } from '../../src/events/index/bitmaps/build-bitmaps.js';
import { kindsOf } from '../../src/events/index/terms/data-aspect.js';
import { termOfMetadata } from '../../src/events/index/terms/metadata-terms.js';
import { type Term, textOf } from '../../src/events/index/terms/term-kind.js';
import { fieldOf } from '../../src/events/index/values/data-path.js';
import { ServiceError } from '../../src/kernel/errors/service-error.js';
import { TriggerService } from '../../src/events/operations/trigger.service.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { actionsOf, confirmationOf, startConfirmationService } from '../support/confirmation-service.js';
import { eventProcess } from '../support/event-writers.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { answers, startScriptedSubscriber } from '../support/scripted-subscriber.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(() =>
  test.database.query(sql`truncate event, term, term_doubt, bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty cascade`),
);

const clinic = callerOf(
  { sub: 'clinic', userType: 'system', scope: ['record.create', 'record.notify', 'record.read'] },
  () => undefined,
);

const wordOf = (word: string): Term => kindsOf(fieldOf('child.name')).kind('nameWord').term(word);

/** As if a text had the hash of another one that is there: nobody has looked for two such texts. */
const pretend = ({ hash }: Term, text: string) =>
  test.database.query(sql`insert into term (hash, text) values (${hash}, ${text})`);

/** Notifies children with these names at the same time; resolves with what became of each. */
async function notified(...names: readonly string[]): Promise<readonly unknown[]> {
  const { operations } = eventProcess(test.database);
  const outcomes = await Promise.allSettled(
    names.map((firstname) =>
      operations.createAndNotify(
        {
          ...{ transactionId: randomUUID(), eventType: 'birth', createdAtLocation: aUuid(5) },
          declaration: { 'child.name': { firstname, surname: 'Musonda' } },
        },
        { caller: clinic, hungUp: new AbortController().signal },
      ),
    ),
  );
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'done';
    const { reason } = outcome as { readonly reason: unknown };
    return reason instanceof ServiceError ? [reason.code, reason.issues] : reason;
  });
}

const doubts = async () =>
  (await test.database.query<{ hash: string }>(sql`select hash from term_doubt`)).map(({ hash }) => BigInt(hash));

const refusal = (taken: string) => [
  'BAD_REQUEST',
  [{ message: `declaration: "${textOf(wordOf('kofi'))}" has the hash of "${taken}"` }],
];

describe('a value of a declaration with the hash of another term', () => {
  it.each([termOfMetadata('status', 'REGISTERED'), areaTerm('created_at_location', aUuid(0xa2))].map(textOf))(
    'is refused alone, and puts nothing into doubt, where that is %s',
    async (taken) => {
      await pretend(wordOf('kofi'), taken);
      expect(await notified('Ama', 'Kofi', 'Esi')).toEqual(['done', refusal(taken), 'done']);
      expect([await notified('Kofi'), await doubts()]).toEqual([[refusal(taken)], []]);
    },
  );

  it.each([
    ['has a bitmap', buildBitmap],
    ['has one that is begun', (transaction: Queryable, term: bigint) => beginBitmaps(transaction, [term])],
  ])('is refused where that %s', async (_, make) => {
    const taken = textOf(wordOf('banda'));
    await pretend(wordOf('kofi'), taken);
    await test.database.transaction((transaction) => make(transaction, wordOf('kofi').hash));
    expect([await notified('Kofi'), await doubts()]).toEqual([[refusal(taken)], []]);
  });

  it('is taken from a trigger, which tells of what has happened; and from then on from everybody', async () => {
    await pretend(wordOf('kofi'), 'status=REGISTERED');
    const declaration = { 'child.name': { firstname: 'Kofi', surname: 'Musonda' } };
    const document = anEventDocument({ actions: [anAction(), anAction({ type: 'NOTIFY', declaration })] });
    const { writer } = eventProcess(test.database);
    const asker = { caller: clinic, hungUp: new AbortController().signal };
    await new TriggerService(writer).accept({ document, type: 'NOTIFY', size: 1_000 }, asker);
    expect([await doubts(), await notified('Kofi')]).toEqual([[wordOf('kofi').hash], ['done']]);
  });

  it('is rejected where the country configuration confirms it', async () => {
    const country = await startScriptedSubscriber({ tls: false });
    const service = await startConfirmationService(test, { COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}/` });
    try {
      country.behave(answers(200));
      await pretend(wordOf('kofi'), 'status=REGISTERED');
      const declaration = { 'child.name': { firstname: 'Kofi', surname: 'Musonda' } };
      const { eventId, actionId } = await service.request({ declaration });
      await eventually('it is answered', async () => (await confirmationOf(test, actionId)).status !== 'pending');
      const { status } = await confirmationOf(test, actionId);
      const rejection = (await actionsOf(test, eventId)).find((action) => action.status === 'Rejected');
      expect([status, rejection?.annotation, await doubts()]).toEqual([
        'rejected',
        { reason: 'A value of the declaration cannot be told from another by its hash; write it differently' },
        [],
      ]);
    } finally {
      await service.close();
      await country.close();
    }
  });

  it('leaves those together that wait with it', async () => {
    await pretend(wordOf('kofi'), 'status=REGISTERED');
    const transactions = jest.spyOn(test.database, 'transactionFrom');
    const names = Array.from({ length: 30 }, (_, at) => (at === 7 ? 'Kofi' : `Ama`));
    expect((await notified(...names)).filter((outcome) => outcome === 'done')).toHaveLength(29);
    // Alone they would take one each.
    expect(transactions.mock.calls.length).toBeLessThan(10);
    transactions.mockRestore();
  });

  it('is taken, and both are in doubt, where that is a rare one of declarations', async () => {
    await pretend(wordOf('kofi'), textOf(wordOf('nyerere')));
    expect([await notified('Kofi'), await doubts()]).toEqual([['done'], [wordOf('kofi').hash]]);
  });
});

describe('a value of metadata with the hash of a term of declarations', () => {
  it('is taken, and both are in doubt: nobody can keep a status from being used', async () => {
    const status = termOfMetadata('status', 'NOTIFIED');
    await pretend(status, textOf(wordOf('kofi')));
    expect([await notified('Ama'), await doubts()]).toEqual([['done'], [status.hash]]);
  });
});
