import type { Database } from '../../src/platform/database/pools/database.js';
import type { EventAction } from '../../src/kernel/domain/event-action.js';
import type { IncomingEvent } from '../../src/events/records/event-change.js';
import { retryingDeadlocks } from '../../src/platform/database/connection/queryable.js';
import { writeRecords } from '../../src/events/records/write-records.js';
import { aRecord } from '../support/builders/a-record.js';
import { aTrackingId } from '../support/builders/a-tracking-id.js';
import { anAction } from '../support/builders/an-action.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { prepareEvent } from '../support/prepare-event.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';
import { asDocument, asRecord, kinds, minute, writing } from '../support/written-records.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  ({ database } = test);
});

afterAll(() => test.drop());

const { actionIds, stored, write } = writing(() => database);

describe('writers at the same time', () => {
  const inParallel = (...batches: readonly (readonly IncomingEvent[])[]) =>
    Promise.all(batches.map((batch) => retryingDeadlocks(() => write(...batch))));

  it('create an event once, whoever comes first', async () => {
    const records = Array.from({ length: 50 }, () => aRecord());
    const outcomes = await inParallel(
      records.map(asRecord),
      records.toReversed().map(asRecord),
      records.map(asRecord),
      records.toReversed().map(asRecord),
    );
    expect(kinds(outcomes.flat()).filter((kind) => kind === 'created')).toHaveLength(50);
    expect(kinds(outcomes.flat()).filter((kind) => kind === 'unchanged')).toHaveLength(150);
    expect(await Promise.all(records.map((record) => stored(record.id)))).toEqual(records);
  });

  it('append all of their actions to one event', async () => {
    const { document } = asDocument();
    await write({ kind: 'document', document });
    const added = Array.from({ length: 8 }, (_, n) => anAction({ type: 'CUSTOM', createdAt: minute(n) }));
    const outcomes = await inParallel(
      ...added.map((action): IncomingEvent[] => [
        { kind: 'document', document: { ...document, actions: [...document.actions, action] } },
      ]),
    );
    expect(outcomes.flat().flatMap((outcome) => ('newActions' in outcome ? outcome.newActions : []))).toEqual(added);
    expect((await actionIds(document.id)).toSorted()).toEqual(
      [...document.actions, ...added].map((action: EventAction) => action.id).toSorted(),
    );
    expect((await stored(document.id))?.updatedAt).toBe(minute(7));
  });

  it('get through a deadlock: one of them begins anew', async () => {
    const [one, two] = [aTrackingId(), aTrackingId()];
    const meeting = rendezvous(2);
    let attempts = 0;
    const writer = (first: string, last: string) =>
      retryingDeadlocks(() =>
        database.transaction(async (transaction) => {
          attempts += 1;
          const begun = await writeRecords(transaction, [
            prepareEvent(asRecord(aRecord({ trackingId: first })), WITHOUT_FORMS),
          ]);
          await meeting();
          const ended = await writeRecords(transaction, [
            prepareEvent(asRecord(aRecord({ trackingId: last })), WITHOUT_FORMS),
          ]);
          return kinds([...begun, ...ended]);
        }),
      );
    const outcomes = await Promise.all([writer(one, two), writer(two, one)]);
    // The one that began anew may be first again, before the other has heard that it need not wait.
    expect(attempts).toBeGreaterThanOrEqual(3);
    expect(outcomes.toSorted()).toEqual([
      ['conflict', 'conflict'],
      ['created', 'created'],
    ]);
  });
});

/** Resolves once it has been called `count` times. */
function rendezvous(count: number): () => Promise<void> {
  let open: () => void;
  const met = new Promise<void>((resolve) => (open = resolve));
  let missing = count;
  return () => {
    missing -= 1;
    if (missing === 0) open();
    return met;
  };
}
