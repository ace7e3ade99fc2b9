import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { decodeJwt } from 'jose';

import type { Answer, Arena, AttackingClient } from '../arena.js';
import { only, some, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';
import type { Session } from '../people.js';
import { nonceIn, People, sessionIn } from '../people.js';
import { GRACE_SECONDS } from '../settings.js';

const afterGrace = (): Promise<unknown> => sleep((GRACE_SECONDS + 0.5) * 1_000);

const MINUTE_MS = 60_000;
const DAY_SECONDS = 86_400;
/** So many within a minute are too many in one of the two minutes that may be counted meanwhile: each takes sixty. */
const MANY_A_MINUTE = 121;

/** What came of asking in less than a minute: again and again, until the machine was quick enough. */
async function withinAMinute<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const beganMs = performance.now();
    const answers = await ask();
    if (performance.now() - beganMs < MINUTE_MS) return answers;
  }
}

/** Throws unless the session's tokens are good for nothing any more. */
async function isOver(people: People, ...sessions: readonly Session[]): Promise<void> {
  for (const session of sessions) only([await people.search(session.token), await people.refresh(session)], [401]);
}

/** Goes on until it is told to end; yields all answers. */
function during(ask: () => Promise<Answer>): () => Promise<readonly Answer[]> {
  let isOn = true;
  const asking = (async () => {
    const answers: Answer[] = [];
    while (isOn) answers.push(await ask());
    return answers;
  })();
  return () => {
    isOn = false;
    return asking;
  };
}

export const SESSION_ATTACKS: readonly Attack[] = [
  {
    attack: 'one refresh token, 100 times at once',
    act: async (arena) => {
      const people = new People(arena);
      const first = await people.login(await people.user());
      const answers = await Promise.all(times(100, () => people.refresh(first)));
      only(answers, [200, 429]);
      const successors = answers.filter(({ status }) => status === 200).map(sessionIn);
      const states = new Set(successors.map(({ refreshToken }) => decodeJwt(refreshToken).jti));
      if (states.size !== 1) throw new Error(`${states.size} branches`);
      const [one, other] = successors as [Session, Session];
      some(await withinAMinute(() => Promise.all(times(MANY_A_MINUTE, () => people.refresh(one)))), 429);
      // Nobody but who holds a token of the session can use up what it may ask.
      only([await people.refresh(await people.login(await people.user()))], [200]);
      await people.auth('invalidateToken', { token: other.refreshToken });
      only([await people.search(first.token), await people.search(one.token), await people.search(other.token)], [401]);
      return `${statuses(answers)}; one branch, which a log-out ended`;
    },
  },
  {
    attack: 'a refresh token is stolen and used after its owner has used it',
    act: async (arena) => {
      const people = new People(arena);
      const person = await people.user();
      const [stolen, elsewhere] = [await people.login(person), await people.login(person)];
      const own = sessionIn(await people.refresh(stolen));
      await afterGrace();
      const thief = await people.refresh(stolen);
      only([thief], [401]);
      await isOver(people, stolen, own);
      only([await people.search(elsewhere.token)], [200]);
      return `the thief ${thief.status}; the session has ended, the others have not`;
    },
  },
  {
    attack: 'a refresh token is stolen and used before its owner uses it',
    act: async (arena) => {
      const people = new People(arena);
      const stolen = await people.login(await people.user());
      const thief = sessionIn(await people.refresh(stolen));
      const again = sessionIn(await people.refresh(thief));
      const owner = await people.refresh(stolen);
      only([owner], [401]);
      await isOver(people, stolen, thief, again);
      return `the owner ${owner.status}, and the thief's session has ended`;
    },
  },
  {
    attack: 'tokens are taken for what they are not: each kind, at each place that takes another',
    act: async (arena) => {
      const people = new People(arena);
      const { token, refreshToken } = await people.login(await people.user('NATIONAL_SYSTEM_ADMIN'));
      const client = await arena.client('NATIONAL_ID');
      const [, payload = ''] = token.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
      const forged = [
        await arena.sign(JSON.stringify({ ...claims, sub: randomUUID() })),
        await arena.sign(JSON.stringify({ ...claims, userType: 'system' })),
        await arena.sign(JSON.stringify({ ...claims, sub: client.client_id, userType: 'system' })),
        await arena.sign(JSON.stringify({ ...claims, sub: undefined })),
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
        await hmacByPublicKey(arena, payload),
      ];
      const answers = [
        await people.search(refreshToken),
        ...(await Promise.all(forged.map((one) => people.search(one)))),
        await people.auth('refreshToken', { token }),
        await people.auth('refreshToken', { token: client.token }),
        ...(await Promise.all(forged.map((one) => people.auth('refreshToken', { token: one })))),
      ];
      only(answers, [401]);
      only([await people.search(token)], [200]);
      const webhooks = await arena.ask('GET', '/webhooks', { token });
      only([webhooks], [403]);
      return `${statuses(answers)}; webhooks of a user ${webhooks.status}`;
    },
  },
  {
    attack: 'a user goes on searching and refreshing during their deactivation',
    act: async (arena) => {
      const people = new People(arena);
      const person = await people.user();
      let session = await people.login(person);
      const searching = during(() => people.search(session.token));
      const refreshing = during(async () => {
        const answer = await people.refresh(session);
        if (answer.status === 200) session = sessionIn(answer);
        // No more than a session may.
        await sleep(50);
        return answer;
      });
      await sleep(200);
      await people.administer('POST', `/${person.id}/deactivate`);
      const after = await Promise.all(times(50, () => people.search(session.token)));
      const [searched, refreshed] = [await searching(), await refreshing()];
      only([...searched, ...refreshed], [200, 401]);
      some(searched, 200);
      only(after, [401]);
      await isOver(people, session);
      const login = await people.auth('authenticate', { username: person.username, password: person.password });
      only([login], [403]);
      // What was ended stays ended.
      await people.administer('POST', `/${person.id}/activate`);
      await isOver(people, session);
      return `before ${statuses([...searched, ...refreshed])}; after ${statuses(after)}; a login ${login.status}`;
    },
  },
  {
    attack: 'a role is taken from a user in the middle of a session',
    act: async (arena) => {
      const people = new People(arena);
      const person = await people.user('NATIONAL_SYSTEM_ADMIN');
      const session = await people.login(person);
      const list = (token: string) => arena.ask('GET', '/users?count=1', { token, listener: 'internal' });
      only([await list(session.token)], [200]);
      await people.administer('PATCH', `/${person.id}`, { role: 'HOSPITAL_CLERK' });
      const after = await Promise.all(times(50, () => list(session.token)));
      only(after, [403]);
      const renewed = sessionIn(await people.refresh(session));
      only([await list(renewed.token)], [403]);
      only([await people.search(renewed.token)], [200]);
      return `at once ${statuses(after)}, and after a refresh`;
    },
  },
  {
    attack: 'a recovery link, 50 times at once and again when it was used; the account’s sessions stay open',
    act: async (arena) => {
      const people = new People(arena);
      const person = await people.user();
      const session = await people.login(person);
      const token = await people.recoveryToken(person);
      const answers = await Promise.all(times(50, () => people.auth('verifyRecoveryToken', { token })));
      only(answers, [200, 401]);
      const used = answers.filter(({ status }) => status === 200);
      if (used.length !== 1) throw new Error(`it was used ${used.length} times`);
      const unknown = await people.auth('verifyRecoveryToken', { token: 'A'.repeat(24) });
      const replayed = await people.auth('verifyRecoveryToken', { token });
      if (unknown.text !== replayed.text) throw new Error('a used link is told from an unknown one');
      const nonce = nonceIn(used[0] as Answer);
      const change = { nonce, newPassword: `new ${randomUUID()}` };
      const changed = await Promise.all(times(20, () => people.auth('changePassword', change)));
      // On a busy machine more passwords may wait than are admitted (Q-2).
      only(changed, [200, 401, 429, 503]);
      if (changed.filter(({ status }) => status === 200).length !== 1) throw new Error(statuses(changed));
      await isOver(people, session);
      const { username, password } = person;
      only([await people.auth('authenticate', { username, password })], [401]);
      await people.login({ ...person, password: change.newPassword });
      return `the link ${statuses(answers)}; the password ${statuses(changed)}`;
    },
  },
  {
    attack: '3,000 tokens of three clients revoked, 1,500 more refused, and each 500 times again, beside look-ups',
    act: async (arena) => {
      const clients = [await arena.client(), await arena.client(), await arena.client()];
      const answers = await Promise.all(clients.map((client) => revokeMany(arena, client)));
      const all = answers.flat();
      only(all, [200, 429]);
      const refused = all.filter(({ status }) => status === 429).length;
      // Those that were asked for in the same instant see the same count.
      if (refused < 1_450) throw new Error(`${refused} were refused`);
      return `${statuses(all)}; those that were revoked 401, those that were not 200`;
    },
  },
  {
    attack: '2,000 refresh tokens that are none: of a good form, of an unknown key, with another’s signature, garbage',
    act: async (arena) => {
      const people = new People(arena);
      const { refreshToken } = await people.login(await people.user());
      const [head = '', payload = '', signature = ''] = refreshToken.split('.');
      const unknown = Buffer.from(JSON.stringify({ ...(await arena.issuer.header()), kid: 'none' })).toString(
        'base64url',
      );
      const forged = (at: number): string =>
        [
          `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
          `${unknown}.${payload}.${signature}`,
          `${head}.${Buffer.from(`{"sub":"${at}"}`).toString('base64url')}.${signature}`,
          'A'.repeat(60_000),
        ][at % 4] as string;
      const answers: Answer[] = [];
      const all = Array.from({ length: 2_000 }, (_, at) => forged(at));
      await inLines(50, all, async (token) => {
        answers.push(await people.auth('refreshToken', { token }));
      });
      only(answers, [401]);
      only([await people.auth('refreshToken', { token: refreshToken })], [200]);
      return `${statuses(answers)}; the real one 200`;
    },
  },
];

/** Revokes 1,500 tokens of a client and tries each third 500 times more; yields all answers. */
async function revokeMany(
  arena: Arena,
  { client_id, client_secret, token }: AttackingClient,
): Promise<readonly Answer[]> {
  const claims = decodeJwt(token);
  // So that none expires while a slow machine revokes them: what has expired is revoked without being counted.
  const exp = (claims.exp ?? 0) + DAY_SECONDS;
  const own = await Promise.all(times(1_500, () => arena.sign(JSON.stringify({ ...claims, exp, jti: randomUUID() }))));
  const answers: Answer[] = [];
  const revoke = async (one: string): Promise<void> => {
    answers.push(await arena.post('/auth/revoke', { body: { token: one, client_id, client_secret } }));
  };
  await inLines(16, own, revoke);
  await inLines(16, own.slice(0, 500), revoke);
  const search = (one: string) => arena.search({ token: one }, { clauses: [{ eventType: 'birth' }] }, { limit: 0 });
  only(await Promise.all(own.slice(0, 50).map(search)), [401]);
  only(await Promise.all(own.slice(-50).map(search)), [200, 403]);
  return answers;
}

/** Does something with all of them, so many at a time. */
async function inLines<T>(lines: number, all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const line = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(times(lines, line));
}

/** A token signed by the text of the public key, as if that were a secret. */
async function hmacByPublicKey(arena: Arena, payload: string): Promise<string> {
  const pem = arena.issuer.publicKey.export({ type: 'spki', format: 'pem' });
  const head = Buffer.from(JSON.stringify({ ...(await arena.issuer.header()), alg: 'HS256' })).toString('base64url');
  const signature = createHmac('sha256', pem).update(`${head}.${payload}`).digest('base64url');
  return `${head}.${payload}.${signature}`;
}
