import type { DocumentTable } from '../../kernel/domain/record-columns.js';

/**
 * Counts the requests of the throttling table (U-8). The gateway provides it: in memory, or in Redis for all processes.
 */
export abstract class RequestThrottle {
  /**
   * Counts one more request. `key`: the value of the member that the table names for the route, as it was sent, or the
   * id of the session; '' where it names none. Throws 429 with `Retry-After` where it is one too many for the route or
   * for the address.
   */
  abstract take(route: ThrottledRoute, key: string, address: string): Promise<void>;
}

export type ThrottledRoute = keyof typeof THROTTLES;

interface Throttle {
  /**
   * Requests are counted by this member of the body beside their address, so that a stranger locks nobody out. Null: by
   * the address alone. `session`: by the session of a verified token, apart from others of the address, so that nobody
   * in an office keeps the others from staying signed in.
   */
  readonly key: 'username' | 'mobile or email' | 'nonce' | 'session' | null;
  /** `everybody`: whatever the address. */
  readonly of: 'address' | 'everybody';
  readonly perMinute: number;
}

/** Limits a minute, of right and wrong requests alike (U-8, after upstream's keys). */
export const THROTTLES = {
  authenticate: { key: 'username', of: 'address', perMinute: 10 },
  'authenticate-super-user': { key: null, of: 'everybody', perMinute: 10 },
  verifyCode: { key: 'nonce', of: 'address', perMinute: 10 },
  resendAuthenticationCode: { key: 'nonce', of: 'address', perMinute: 10 },
  verifyUser: { key: 'mobile or email', of: 'address', perMinute: 10 },
  verifyRecoveryToken: { key: null, of: 'address', perMinute: 60 },
  verifySecurityAnswer: { key: 'nonce', of: 'address', perMinute: 10 },
  changePassword: { key: 'nonce', of: 'address', perMinute: 10 },
  sendUserName: { key: 'nonce', of: 'address', perMinute: 10 },
  refreshToken: { key: 'session', of: 'everybody', perMinute: 60 },
  invalidateToken: { key: 'session', of: 'everybody', perMinute: 60 },
} as const satisfies Readonly<Record<string, Throttle>>;

/**
 * The wide cap: requests of one address on all of these routes together, whatever they name, but not of sessions that
 * have begun. Some hundred people who begin their work behind one address stay below it.
 */
export const PER_ADDRESS_AND_MINUTE = 600;

export const throttlingTable = (): DocumentTable => ({
  heads: ['route', 'counted by', 'requests a minute'],
  rows: [
    ...Object.entries(THROTTLES).map(([route, { key, of, perMinute }]) => {
      const parts = [
        ...(key === null ? [] : [key === 'session' ? 'session' : `\`${key.replaceAll(' or ', '` or `')}\``]),
        ...(of === 'address' ? [of] : []),
      ];
      return [`\`/auth/${route}\``, parts.join(' and ') || 'nothing: all requests together', String(perMinute)];
    }),
    ['all of these together, but for those counted by session', 'address', String(PER_ADDRESS_AND_MINUTE)],
  ],
});

/** Whose attempts are counted together: a hashed client id, and the address of the client. */
export interface CredentialPair {
  /** Hash of the client id as given: of bounded length, and safe as part of a key. */
  readonly clientIdHash: string;
  readonly address: string;
}

/**
 * Why a check could not end of credentials that are wrong by what this process knows of their client. They count: those
 * that are right by it are answered at once, so that the failure itself tells which ones are wrong.
 */
export class WrongSoFar extends Error {
  constructor(override readonly cause: unknown) {
    super('a check of credentials that seem to be wrong could not end', { cause });
    this.name = 'WrongSoFar';
  }
}

/**
 * Limits the failed credentials of each pair (G-8). The gateway provides it: in memory, or in Redis for all processes.
 */
export abstract class FailedCredentialLimit {
  /**
   * Runs `check` and resolves with its result; undefined means wrong credentials, which count, as `WrongSoFar` does,
   * whose cause is thrown. Throws 429 for a pair that has failed too often, before the check or meanwhile, whatever its
   * secret, and for one with too many attempts at a time.
   */
  abstract checked<T>(pair: CredentialPair, check: () => Promise<T | undefined>): Promise<T | undefined>;
}
