import fc from 'fast-check';
import type { SessionTokens } from '../../../src/auth/sessions/session-families.js';
import type { Queryable } from '../../../src/platform/database/connection/queryable.js';
import type { Uuid } from '../../../src/kernel/domain/uuid.js';
import { sql } from '../../../src/kernel/sql/sql.js';
import { eventually } from '../eventually.js';
import { GRACE_SECONDS, jtiOf, type ModelFamily, type SessionModel, STEPS } from './session-model.js';

/** Which of the two. */
export type Which = 0 | 1;

/** Two services on one database, in one process or each in its own. */
export interface TwoServices {
  readonly users: readonly Uuid[];
  readonly database: Queryable;
  /** Undefined: he may not log in. */
  begin(at: Which, userId: Uuid): Promise<SessionTokens | undefined>;
  /** Undefined: the token is not good. */
  refresh(at: Which, refreshToken: string): Promise<SessionTokens | undefined>;
  logOut(at: Which, family: ModelFamily): Promise<void>;
  deactivate(at: Which, userId: Uuid): Promise<void>;
  activate(at: Which, userId: Uuid): Promise<void>;
  /** Whether it accepts the access token. */
  accepts(at: Which, token: string): Promise<boolean>;
  /** Resolves when both have heard what was announced, where the test can see to it. */
  heard(): Promise<void>;
}

const BOTH = [0, 1] as const;
/** Longer than a process may take to heed what another did (G-3: 2 s), and far less than a token is good for. */
const HEEDED_MS = 60_000;

type Command = fc.AsyncCommand<SessionModel, TwoServices>;

/** Named as fast-check prints it where the services and the model part. */
const command = (name: string, run: (model: SessionModel, services: TwoServices) => Promise<void>): Command => ({
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
  run: (family: ModelFamily, model: SessionModel, services: TwoServices) => Promise<void>,
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

const begin = (user: number, at: Which): Command =>
  command(`login of ${user} at ${at}`, async (model, services) => {
    const userId = userAt(services, user);
    const begun = await services.begin(at, userId);
    expect(begun === undefined).toBe(model.deactivated.has(userId));
    if (begun !== undefined) model.begin(userId, begun);
  });

/** Several callers bring one token at the same time, by turns to either service. */
const refresh = (nth: number, back: number, callers: number, from: Which): Command =>
  onFamily(
    `refresh by ${callers} from ${from} on, with the token ${back} before,`,
    nth,
    async (family, model, services) => {
      const presented = family.states.at(-1 - back) ?? family.states[0];
      if (presented === undefined) return;
      const really = family.states.length - 1 - family.states.indexOf(presented);
      const meaning = model.meaning(family, really);
      const answers = await Promise.all(
        Array.from({ length: callers }, (_, caller) =>
          services.refresh((caller + from) % 2 === 0 ? 0 : 1, presented.refreshToken),
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
    },
  );

/** A client that asks twice at once, with its newest token and with the one before. */
const race = (nth: number): Command =>
  onFamily('race of both tokens', nth, async (family, model, services) => {
    const [before, current] = family.states.slice(-2);
    if (before === undefined || current === undefined) return;
    const [known, alive] = [model.meaning(family, 1), model.isAlive(family)];
    const [older, newer] = await Promise.all([
      services.refresh(0, before.refreshToken),
      services.refresh(1, current.refreshToken),
    ]);
    if (!alive) expect([older, newer]).toEqual([undefined, undefined]);
    if (known === 'reuse') expect(older).toBeUndefined();
    note(family, model, [older, newer], alive && older === undefined);
  });

/** Something ends the session while its token is refreshed; whatever the refresh answers is good for nothing. */
const endInRace = (nth: number, how: 'logout' | 'deactivation', at: Which): Command =>
  onFamily(`${how} at ${at} during a refresh`, nth, async (family, model, services) => {
    const refreshed = services.refresh(at === 0 ? 1 : 0, family.states.at(-1)?.refreshToken ?? '');
    await (how === 'logout' ? services.logOut(at, family) : deactivate(family.userId, at, model, services));
    note(family, model, [await refreshed], true);
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

async function deactivate(userId: Uuid, at: Which, model: SessionModel, services: TwoServices): Promise<void> {
  await services.deactivate(at, userId);
  model.deactivated.add(userId);
  model.end(model.families.filter((family) => family.userId === userId));
}

const activate = (user: number, at: Which): Command =>
  command(`activation of ${user} at ${at}`, async (model, services) => {
    const userId = userAt(services, user);
    await services.activate(at, userId);
    model.deactivated.delete(userId);
  });

const userAt = ({ users }: Readonly<TwoServices>, at: number): Uuid => {
  const userId = users[at];
  if (userId === undefined) throw new Error('there are two users');
  return userId;
};

/** Time passes: what the database has noted is longer ago. */
const step = (seconds: number): Command =>
  command(`${seconds} s later`, async (model, { database, users }) => {
    await database.query(sql`
      update session_family set rotated_at = rotated_at - make_interval(secs => ${seconds}),
        created_at = created_at - make_interval(secs => ${seconds}),
        expires_at = expires_at - make_interval(secs => ${seconds}) where user_id = any (${[...users]}::uuid[])`);
    model.now += seconds;
  });

/** Compares everything that can be seen with the model. */
async function agrees(model: SessionModel, services: TwoServices): Promise<void> {
  const { database, users } = services;
  const rows = await database.query<{ id: string; good: string[] }>(sql`
    select family_id as id,
           array_remove(array[current_jti, case when rotated_at > clock_timestamp() - make_interval(secs => ${GRACE_SECONDS})
                                                then previous_jti end], null) as good
    from session_family where user_id = any (${[...users]}::uuid[]) and expires_at > clock_timestamp()`);
  const stored = new Map(rows.map(({ id, good }) => [id, good.toSorted()]));
  const alive = model.families.filter((family) => model.isAlive(family));
  expect(stored).toEqual(new Map(alive.map((family) => [family.id, [...model.good(family)].toSorted()])));
  for (const family of model.families) {
    const isOneBranch = model.good(family).length <= (family.rotatedAt > model.now - GRACE_SECONDS ? 2 : 1);
    expect(isOneBranch).toBe(true);
    if (family.hasEnded) await isRefused(family, services);
    // Of one that has expired they have too. One of the two may not know yet that its user is active again.
    else if (model.isAlive(family)) {
      const tokens = family.accessTokens.slice(-2);
      const areAccepted = async (): Promise<boolean> => (await verdicts(tokens, services)).every(Boolean);
      await eventually('its tokens are accepted', areAccepted, HEEDED_MS);
    }
  }
}

/** What either service says of the tokens: whether it accepts them. */
const verdicts = async (tokens: readonly string[], services: TwoServices): Promise<readonly boolean[]> =>
  Promise.all(BOTH.flatMap((at) => tokens.map((token) => services.accepts(at, token))));

/** Soon by both services (G-3), and for ever. */
async function isRefused(family: ModelFamily, services: TwoServices): Promise<void> {
  const areRefused = async (): Promise<boolean> => !(await verdicts(family.accessTokens, services)).some(Boolean);
  if (family.isRefused) expect(await areRefused()).toBe(true);
  else {
    await services.heard();
    await eventually('its tokens are refused', areRefused, HEEDED_MS);
  }
  family.isRefused = true;
}

const nth = fc.nat({ max: 2 });
const user = fc.nat({ max: 1 });
const which = fc.constantFrom(...BOTH);

/** Whatever may happen to sessions, in any order. */
export const sessionCommands = (maxCommands: number) =>
  fc.commands(
    [
      fc.tuple(user, which).map((of) => begin(...of)),
      fc.tuple(nth, fc.constant(0), fc.integer({ min: 1, max: 4 }), which).map((of) => refresh(...of)),
      fc.tuple(nth, fc.constant(1), fc.integer({ min: 1, max: 3 }), which).map((of) => refresh(...of)),
      fc.tuple(nth, fc.integer({ min: 2, max: 3 }), fc.constant(1), which).map((of) => refresh(...of)),
      nth.map(race),
      fc
        .tuple(nth, fc.constantFrom<'logout' | 'deactivation'>('logout', 'deactivation'), which)
        .map((of) => endInRace(...of)),
      fc.tuple(nth, which).map(([at, process]) =>
        onFamily(`logout at ${process}`, at, async (family, model, services) => {
          await services.logOut(process, family);
          model.end([family]);
        }),
      ),
      fc.tuple(user, which).map((of) => activate(...of)),
      fc.constantFrom(...STEPS.flatMap((seconds) => (seconds > 10_000 ? [seconds] : [seconds, seconds]))).map(step),
    ],
    { maxCommands, size: 'max' },
  );
