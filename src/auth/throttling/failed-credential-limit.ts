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
