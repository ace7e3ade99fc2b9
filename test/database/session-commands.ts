import fc from 'fast-check';
import { decodeJwt } from 'jose';

import type { SessionTokens } from '../../src/auth/sessions/session-families.js';
import { parseUuid, type Uuid } from '../../src/domain/uuid.js';
import { sql } from '../../src/sql/sql.js';
import type { AuthProcess } from './auth-process.js';
import type { ModelFamily, SessionModel } from './session-model.js';
import { jtiOf } from './session-model.js';

/** Two services on one database. */
export interface Services {
  readonly both: readonly [AuthProcess, AuthProcess];
  readonly users: readonly Uuid[];
}

type Command = fc.AsyncCommand<SessionModel, Services>;

/** Named as fast-check prints it where the service and the model part. */
const command = (name: string, run: (model: SessionModel, services: Services) => Promise<void>): Command => ({
  check: () => true,
  run: async (model, services) => {
    await run(model, services);
    await agrees(model, services);
  },
  toString: () => name,
});

const onFamily = (
  name: string,
  nth: number,
  run: (family: ModelFamily, model: SessionModel, services: Services) => Promise<void>,
): Command => ({
  ...command(`${name} of session ${nth}`, (model, services) => run(familyAt(model, nth), model, services)),
  check: ({ families }) => families.length > 0,
});

/** One that is alive, while there is any. */
function familyAt(model: Readonly<SessionModel>, nth: number): ModelFamily {
  const alive = model.families.filter((family) => model.isAlive(family));
  const among = alive.length > 0 ? alive : model.families;
  const family = among[nth % among.length];
  if (family === undefined) throw new Error('there is no session yet');
  return family;
}

const begin = (user: number, at: 0 | 1): Command =>
  command(`login of ${user}`, async (model, { both, users }) => {
    const userId = users[user] ?? users[0];
    if (userId === undefined) throw new Error('there are no users');
    const begun = await both[at].families.begin({ userId }).catch(() => undefined);
    expect(begun === undefined).toBe(model.deactivated.has(userId));
    if (begun !== undefined) model.begin(userId, begun);
  });

/** Several callers bring one token at the same time, to both services. */
const refresh = (nth: number, back: number, callers: number): Command =>
  onFamily(`refresh by ${callers} with the token ${back} before`, nth, async (family, model, { both }) => {
    const presented = family.states.at(-1 - back) ?? family.states[0];
    if (presented === undefined) return;
    const really = family.states.length - 1 - family.states.indexOf(presented);
    const meaning = model.meaning(family, really);
    const answers = await Promise.all(
      Array.from({ length: callers }, (_, caller) =>
        both[caller % 2 === 0 ? 0 : 1].families.refresh(presented.refreshToken),
      ),
    );
    const pairs = answers.filter((answer) => answer !== undefined);
    expect(pairs.length).toBe(meaning === 'rotates' || meaning === 'same state' ? callers : 0);
    if (meaning === 'reuse') model.end([family]);
    const [first] = pairs;
    if (first === undefined) return;
    if (meaning === 'rotates') model.rotate(family, first);
    const current = family.states.at(-1)?.refreshToken ?? '';
    expect(new Set(pairs.map(({ refreshToken }) => jtiOf(refreshToken)))).toEqual(new Set([jtiOf(current)]));
    family.accessTokens.push(...pairs.map(({ token }) => token));
  });

/** A client that asks twice at once, with its newest token and with the one before. */
const race = (nth: number): Command =>
  onFamily('race of both tokens', nth, async (family, model, { both }) => {
    const [before, current] = family.states.slice(-2);
    if (before === undefined || current === undefined) return;
    const [known, alive] = [model.meaning(family, 1), model.isAlive(family)];
    const [older, newer] = await Promise.all([
      both[0].families.refresh(before.refreshToken),
      both[1].families.refresh(current.refreshToken),
    ]);
    if (!alive) expect([older, newer]).toEqual([undefined, undefined]);
    if (known === 'reuse') expect(older).toBeUndefined();
    note(family, model, [older, newer], alive && older === undefined);
  });

/** Something ends the session while its token is refreshed; whatever the refresh answers is good for nothing. */
const endInRace = (nth: number, how: 'logout' | 'deactivation'): Command =>
  onFamily(`${how} during a refresh`, nth, async (family, model, services) => {
    const { both } = services;
    const refreshed = both[0].families.refresh(family.states.at(-1)?.refreshToken ?? '');
    await (how === 'logout' ? logOut(family, both[1]) : deactivate(family.userId, model, services));
    note(family, model, [await refreshed], true);
    await both[0].families.heed();
  });

/** What was answered in a race: at most one rotation. */
function note(
  family: ModelFamily,
  model: SessionModel,
  answers: readonly (SessionTokens | undefined)[],
  hasEnded: boolean,
): void {
  for (const answer of answers) {
    if (answer === undefined) continue;
    family.accessTokens.push(answer.token);
    const isKnown = family.states.some(({ refreshToken }) => jtiOf(refreshToken) === jtiOf(answer.refreshToken));
    if (!isKnown) model.rotate(family, answer);
  }
  if (hasEnded) model.end([family]);
}

const logOut = ({ id, userId }: ModelFamily, { families }: AuthProcess): Promise<void> => {
  const familyId = parseUuid(id);
  return familyId === undefined ? Promise.resolve() : families.end({ userId, familyId });
};

async function deactivate(userId: Uuid, model: SessionModel, { both: [one] }: Services): Promise<void> {
  await one.database.transaction(async (transaction) => {
    await one.families.endAllOf(transaction, userId);
    await transaction.query(sql`update user_account set status = 'deactivated' where user_id = ${userId}`);
  });
  await one.families.heed();
  model.deactivated.add(userId);
  model.end(model.families.filter((family) => family.userId === userId));
}

const activate = (user: number): Command =>
  command(`activation of ${user}`, async (model, { both: [one], users }) => {
    const userId = users[user];
    if (userId === undefined) return;
    await one.database.query(sql`update user_account set status = 'active' where user_id = ${userId}`);
    model.deactivated.delete(userId);
  });

/** Time passes: what the database has noted is longer ago. */
const step = (seconds: number): Command =>
  command(`${seconds} s later`, async (model, { both: [one], users }) => {
    await one.database.query(sql`
      update session_family set rotated_at = rotated_at - make_interval(secs => ${seconds}),
        created_at = created_at - make_interval(secs => ${seconds}),
        expires_at = expires_at - make_interval(secs => ${seconds}) where user_id = any (${[...users]}::uuid[])`);
    model.now += seconds;
  });

/** Compares everything that can be seen with the model. */
async function agrees(model: SessionModel, { both, users }: Services): Promise<void> {
  const rows = await both[0].database.query<{ id: string; good: string[] }>(sql`
    select family_id as id,
           array_remove(array[current_jti, case when rotated_at > clock_timestamp() - interval '60 s' then previous_jti end], null) as good
    from session_family where user_id = any (${[...users]}::uuid[]) and expires_at > clock_timestamp() order by created_at, family_id`);
  const stored = new Map(rows.map(({ id, good }) => [id, good.toSorted()]));
  const alive = model.families.filter((family) => model.isAlive(family));
  expect(stored).toEqual(new Map(alive.map((family) => [family.id, [...model.good(family)].toSorted()])));
  for (const family of model.families) {
    const isOneBranch = model.good(family).length <= (family.rotatedAt > model.now - 60 ? 2 : 1);
    expect(isOneBranch).toBe(true);
    const refused = family.accessTokens.map((token) => both[0].revoked.isRevoked(decodeJwt(token)));
    if (family.hasEnded) await eventuallyAll(family, both);
    // Of one that has expired they have too.
    else if (model.isAlive(family)) expect(refused).not.toContain(true);
  }
}

async function eventuallyAll({ accessTokens }: ModelFamily, both: Services['both']): Promise<void> {
  await Promise.all(both.map(({ revoked, families }) => families.heed().then(() => revoked.current())));
  for (const { revoked } of both) {
    expect(accessTokens.every((token) => revoked.isRevoked(decodeJwt(token)))).toBe(true);
  }
}

const nth = fc.nat({ max: 2 });
const which = fc.constantFrom<0 | 1>(0, 1);

/** Whatever may happen to sessions, in any order. */
export const sessionCommands = fc.commands(
  [
    fc.tuple(fc.nat({ max: 1 }), which).map(([user, at]) => begin(user, at)),
    fc.tuple(nth, fc.constant(0), fc.integer({ min: 1, max: 4 })).map((of) => refresh(...of)),
    fc.tuple(nth, fc.constant(1), fc.integer({ min: 1, max: 3 })).map((of) => refresh(...of)),
    fc.tuple(nth, fc.integer({ min: 2, max: 3 }), fc.constant(1)).map((of) => refresh(...of)),
    nth.map(race),
    fc.tuple(nth, fc.constantFrom<'logout' | 'deactivation'>('logout', 'deactivation')).map((of) => endInRace(...of)),
    nth.map((at) =>
      onFamily('logout', at, async (family, model, { both }) => {
        await logOut(family, both[0]);
        model.end([family]);
      }),
    ),
    fc.nat({ max: 1 }).map(activate),
    fc.constantFrom(25, 25, 75, 75, 1_025).map(step),
  ],
  { maxCommands: 30, size: 'max' },
);
