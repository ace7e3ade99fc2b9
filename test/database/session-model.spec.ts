import fc from 'fast-check';

import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { addUser } from './a-user.js';
import type { AuthProcess } from './auth-process.js';
import { authProcess } from './auth-process.js';
import type { Services } from './session-commands.js';
import { sessionCommands } from './session-commands.js';
import { EXPIRY_SECONDS, GRACE_SECONDS, jtiOf, SessionModel } from './session-model.js';

const ENVIRONMENT = {
  CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS: String(EXPIRY_SECONDS),
  CONFIG_REFRESH_TOKEN_GRACE_SECONDS: String(GRACE_SECONDS),
};

describe('sessions, on two services with one database', () => {
  let database: TestDatabase;
  let both: [AuthProcess, AuthProcess];

  beforeAll(async () => {
    database = await createTestDatabase();
    both = [authProcess(database, ENVIRONMENT), authProcess(database, ENVIRONMENT)];
    for (const service of both) await service.start();
  });
  afterAll(async () => {
    await Promise.all(both.map((service) => service.stop()));
    await database.drop();
  });

  it('are as U-3 and U-7 say, whatever happens in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(sessionCommands, async (commands) => {
        const [user, another] = [await addUser(database), await addUser(database)];
        const model = new SessionModel();
        model.begin(user.userId, await both[0].families.begin(user));
        const real: Services = { both, users: [user.userId, another.userId] };
        await fc.asyncModelRun(() => ({ model, real }), commands);
      }),
      { numRuns: 50, interruptAfterTimeLimit: 4_000 },
    );
  });

  it('have one successor, however many callers bring one token at the same time', async () => {
    const [one, other] = both;
    const { refreshToken } = await one.families.begin(await addUser(database));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? one : other).families.refresh(refreshToken)),
    );
    const successors = new Set(answers.map((answer) => jtiOf(answer?.refreshToken ?? refreshToken)));
    expect([successors.size, successors.has(jtiOf(refreshToken))]).toEqual([1, false]);
  });
});
