import type { EventDocument } from '../../src/kernel/domain/event-action.js';
import { MOST_DERIVED } from '../../src/events/records/record-row.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { type EventProcess, eventProcess } from '../support/event-writers.js';
import { runImport } from '../support/imports.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let process: EventProcess;
beforeEach(async () => {
  test = await createTestDatabase();
  process = eventProcess(test.database);
});
afterEach(() => test.drop());

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** A declared birth with so many texts: 2,000 are as much as a declaration may have. */
const declared = (texts: number): EventDocument => {
  const text = (at: number): [string, string] => [`field.${at}`, `${'word '.repeat(6)}${at}`];
  const declaration = Object.fromEntries(times(texts, text));
  return anEventDocument({ actions: [anAction(), anAction({ type: 'DECLARE', declaration })] });
};

/** Submits the creation of all of them in one turn; each is answered with the registration number that it is given. */
const created = (documents: readonly EventDocument[], needs?: 'registrationNumber'): Promise<unknown[]> =>
  Promise.all(
    documents.map((document) =>
      process.writer.submit({
        ...{ client: 'feed', eventId: document.id, size: 1, ...(needs && { needs }) },
        decide: ({ registrationNumber }) => ({ answer: registrationNumber, change: { kind: 'create', document } }),
      }),
    ),
  );

/** How many events each transaction has made, in the order of the transactions. */
async function madeTogether(): Promise<readonly number[]> {
  const rows = await test.database.query<{ events: number }>(sql`
    select count(*)::int as events from event group by xmin order by min(seq)`);
  return rows.map(({ events }) => events);
}

/** How many event documents each transaction has written, in the order of the events. */
async function changedTogether(): Promise<readonly number[]> {
  const rows = await test.database.query<{ events: number }>(sql`
    select count(*)::int as events from event_document group by xmin order by min(seq)`);
  return rows.map(({ events }) => events);
}

/** A line that adds little. */
const notified = (document: EventDocument): EventDocument => ({
  ...document,
  actions: [anAction({ type: 'NOTIFY', declaration: { 'field.0': 'another' } })],
});

describe('lines of an import', () => {
  it('are written in several transactions where others need the thread', async () => {
    const lines = times(5, () => declared(2_000));
    const { result } = await runImport(test.database, lines, { mostDerived: MOST_DERIVED });
    expect(result).toEqual({ imported: 5, updated: 0, rejected: 0, faults: [] });
    expect(await madeTogether()).toEqual([2, 2, 1]);
  });
});

describe('lines of an import that add little to large events', () => {
  it('are written in several transactions where others need the thread', async () => {
    const events = times(5, () => declared(2_000));
    await runImport(test.database, events, { mostDerived: MOST_DERIVED });
    const lines = events.map(notified);
    const { result } = await runImport(test.database, lines, { mostDerived: MOST_DERIVED });
    expect(result).toEqual({ imported: 0, updated: 5, rejected: 0, faults: [] });
    expect(await changedTogether()).toEqual([2, 2, 1]);
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
  });

  it('are written also where one of them conflicts with another event', async () => {
    const events = times(5, () => declared(2_000));
    await runImport(test.database, events, { mostDerived: MOST_DERIVED });
    const conflicting = anEventDocument({ trackingId: events[0]?.trackingId ?? '' });
    const [first, second, ...others] = events.map(notified);
    const lines = [first, second, others[0], conflicting, ...others.slice(1)];
    const { result } = await runImport(test.database, lines, { mostDerived: MOST_DERIVED });
    const issues = [{ message: 'trackingId: is that of another event' }];
    expect(result).toEqual({
      ...{ imported: 0, updated: 5, rejected: 1 },
      faults: [{ line: 4, id: conflicting.id, issues }],
    });
    expect(await changedTogether()).toEqual([2, 1, 2]);
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
  });
});

describe('commands that wait together', () => {
  it('are written in several transactions where much is derived of their events', async () => {
    await created(times(5, () => declared(2_000)));
    expect(await madeTogether()).toEqual([2, 2, 1]);
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
  });

  it('are written in one where little is', async () => {
    await created(times(64, () => declared(20)));
    expect(await madeTogether()).toEqual([64]);
  });

  it('leave no registration number out', async () => {
    const numbers = await created(
      times(5, () => declared(2_000)),
      'registrationNumber',
    );
    expect(await madeTogether()).toEqual([2, 2, 1]);
    expect(numbers.toSorted()).toEqual(times(5, (at) => String(at + 1).padStart(4, '0')));
  });
});
