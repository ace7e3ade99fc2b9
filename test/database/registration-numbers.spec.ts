import { Database } from '../../src/platform/database/pools/database.js';
import {
  parseRegistrationNumberPattern,
  type RegistrationNumberPattern,
} from '../../src/kernel/domain/registration-number-pattern.js';
import { RegistrationNumbers } from '../../src/events/write/registration-numbers.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { startConfirmationService } from '../support/confirmation-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { POOL_SIZE } from '../support/start-modules.js';
import { asRecord, writing } from '../support/written-records.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(() => test.database.query(sql`delete from registration_number_count`));

const { write } = writing(() => test.database);

/** Of a pattern that shows no year, so that the expected numbers do not depend on the day. */
const numbersBy = (pattern: string, TIMEZONE = 'UTC'): RegistrationNumbers =>
  new RegistrationNumbers(test.database, { REGISTRATION_NUMBER_PATTERN: patternOf(pattern), TIMEZONE });

const patternOf = (text: string): RegistrationNumberPattern => {
  const pattern = parseRegistrationNumberPattern(text);
  if (pattern === undefined) throw new Error(`${text} is no pattern`);
  return pattern;
};

describe('registration numbers (E-7)', () => {
  it('are counted on, and a batch gets as many as it needs at once', async () => {
    const numbers = numbersBy('N{sequence:3}');
    expect([await numbers.reserve(2), await numbers.reserve(0), await numbers.reserve(1)]).toEqual([
      ['N001', 'N002'],
      [],
      ['N003'],
    ]);
  });

  it('are each made once, however many ask at the same time', async () => {
    const numbers = numbersBy('{sequence}');
    const made = await Promise.all(Array.from({ length: 20 }, () => numbers.reserve(5)));
    const expected = Array.from({ length: 100 }, (_, at) => at + 1);
    expect(
      made
        .flat()
        .map(Number)
        .sort((one, other) => one - other),
    ).toEqual(expected);
  });

  it('show the year of the time zone, and begin again in each', async () => {
    const [years] = await test.database.query<{ readonly east: string; readonly west: string }>(sql`
      select to_char(now() at time zone 'Etc/GMT-14', 'YYYY') as east,
             to_char(now() at time zone 'Etc/GMT+12', 'YYYY') as west`);
    const pattern = '{year}-{sequence}';
    expect(await numbersBy(pattern, 'Etc/GMT-14').reserve(1)).toEqual([`${years?.east ?? ''}-1`]);
    const [west] = await numbersBy(pattern, 'Etc/GMT+12').reserve(1);
    expect(west).toBe(`${years?.west ?? ''}-${years?.west === years?.east ? 2 : 1}`);
    await test.database.query(sql`update registration_number_count set year = year - 1`);
    expect(await numbersBy(pattern, 'Etc/GMT-14').reserve(1)).toEqual([`${years?.east ?? ''}-1`]);
  });

  it('leave out those that records have', async () => {
    const taken = ['T1', 'T2', 'T3', 'T5'].map((registrationNumber) =>
      asRecord(
        aRecord({
          status: 'REGISTERED',
          legalStatuses: { DECLARED: null, REGISTERED: aRegisteredStatus({ registrationNumber }) },
        }),
      ),
    );
    for (const event of taken) await write(event);
    expect(await numbersBy('T{sequence}').reserveFree(2)).toEqual(['T4', 'T6']);
  });

  it('do not wait for the connections of searches (Q-2)', async () => {
    const service = await startConfirmationService(test, {});
    const { dataSource } = service.app.get(Database, { strict: false });
    const searches = Array.from({ length: POOL_SIZE }, () => dataSource.createQueryRunner());
    for (const search of searches) await search.connect();
    try {
      const document = anEventDocument();
      const registered = await service.writer.submit({
        client: 'registrar',
        eventId: document.id,
        size: 1_000,
        needs: 'registrationNumber',
        decide: ({ registrationNumber }) => ({ answer: registrationNumber, change: { kind: 'create', document } }),
      });
      expect(registered).toEqual(expect.any(String));
    } finally {
      for (const search of searches) await search.release();
      await service.close();
    }
  });
});
