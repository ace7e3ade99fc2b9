import { sql } from '../../src/kernel/sql/sql.js';
import { anAction } from '../support/builders/an-action.js';
import { confirmationOf, type ConfirmationService, startConfirmationService } from '../support/confirmation-service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { answers, type ScriptedSubscriber, startScriptedSubscriber } from '../support/scripted-subscriber.js';

let test: TestDatabase;
let country: ScriptedSubscriber;
let service: ConfirmationService;

beforeAll(async () => {
  test = await createTestDatabase();
  country = await startScriptedSubscriber({ tls: false });
  service = await startConfirmationService(test, { COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}` });
  country.behave(answers(200));
});
afterAll(async () => {
  await service.close();
  await country.close();
  await test.drop();
});

describe('a request that can be accepted no more, on an event that takes nothing more', () => {
  it('stays Requested, and is dead after the last try', async () => {
    const requested = anAction({ type: 'DECLARE', status: 'Requested' });
    const later = [anAction({ type: 'DECLARE' }), anAction({ type: 'REGISTER', registrationNumber: 'N-1' })];
    // An earlier release let events become as large.
    const reads = Array.from({ length: 7_000 }, () => anAction({ type: 'READ' }));
    const { actionId } = await service.request(requested, { actions: [anAction(), requested, ...later, ...reads] });
    await eventually('it is dead', async () => (await confirmationOf(test, actionId)).status === 'dead');
    const { failures, attempts } = await confirmationOf(test, actionId);
    expect([failures, attempts]).toEqual([
      4,
      Array.from({ length: 4 }, () => expect.stringContaining('actions: ') as string),
    ]);
    expect(await test.database.query(sql`select claim_token from confirmation where claim_token is not null`)).toEqual(
      [],
    );
  });
});
