import { randomInt } from 'node:crypto';

import type { SessionTokens } from '../../../src/auth/sessions/session-families.js';
import type { Uuid } from '../../../src/kernel/domain/uuid.js';
import type { RunningApplication } from '../application.js';
import type { TwoServices, Which } from './session-commands.js';

/** Whose sessions they are, and who administers them. */
export interface ByHttp {
  readonly users: readonly { readonly userId: Uuid; readonly username: string }[];
  readonly password: string;
  /** An access token. */
  readonly administrator: string;
}

/**
 * The sessions of two running processes, through their routes alone. The processes send no codes, and trust the proxy
 * before them: each login comes from an address of its own, so that no limit counts it.
 */
export function sessionsByHttp(
  both: readonly [RunningApplication, RunningApplication],
  { users, password, administrator }: ByHttp,
): TwoServices {
  const post = async (at: Which, route: string, body: object, expected: readonly number[]) => {
    const headers = { 'x-forwarded-for': [10, randomInt(256), randomInt(256), randomInt(256)].join('.') };
    const { status, json } = await both[at].request('POST', `/auth/${route}`, { body, headers });
    if (!expected.includes(status)) throw new Error(`${route} at ${at} was answered ${status}`);
    return status === 200 ? json : undefined;
  };
  const administer = async (at: Which, userId: Uuid, what: 'activate' | 'deactivate'): Promise<void> => {
    const ask = { listener: 'internal', token: administrator } as const;
    const { status } = await both[at].request('POST', `/users/${userId}/${what}`, ask);
    if (status !== 200) throw new Error(`${what} at ${at} was answered ${status}`);
  };
  return {
    users: users.map(({ userId }) => userId),
    database: both[0].database.database,
    begin: async (at, userId) => {
      const username = users.find((user) => user.userId === userId)?.username;
      const begun = await post(at, 'authenticate', { username, password }, [200, 403]);
      if (begun === undefined) return undefined;
      const { nonce } = begun as { readonly nonce: string };
      return (await post(at === 0 ? 1 : 0, 'verifyCode', { nonce, code: '000000' }, [200])) as SessionTokens;
    },
    refresh: async (at, token) => (await post(at, 'refreshToken', { token }, [200, 401])) as SessionTokens | undefined,
    logOut: async (at, { states, accessTokens }) => {
      // By any token that it ever had, be it used or replaced.
      const tokens = [...states.map(({ refreshToken }) => refreshToken), ...accessTokens];
      await post(at, 'invalidateToken', { token: tokens[randomInt(tokens.length)] }, [200]);
    },
    deactivate: (at, userId) => administer(at, userId, 'deactivate'),
    activate: (at, userId) => administer(at, userId, 'activate'),
    accepts: async (at, token) =>
      ((await post(at, 'verifyToken', { token }, [200])) as { readonly valid: boolean }).valid,
    // They hear of it by themselves.
    heard: () => Promise.resolve(),
  };
}
