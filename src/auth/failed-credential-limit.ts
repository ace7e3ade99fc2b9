/** Whose attempts are counted together: a client id, hashed, and the address that it comes from. */
export interface CredentialPair {
  /** Hash of the client id as it was given: of bounded length, and safe as part of a key. */
  readonly clientIdHash: string;
  readonly address: string;
}

/**
 * Bounds the failed credentials of each pair (G-8). The gateway provides it: in memory, or in Redis for all
 * processes.
 */
export abstract class FailedCredentialLimit {
  /**
   * What `check` yields, run when it is the pair's turn; undefined means that the credentials were wrong, which counts.
   * Throws 429 for a pair that has failed too often, whatever its secret, and for one with too many attempts waiting.
   */
  abstract checked<T>(pair: CredentialPair, check: () => Promise<T | undefined>): Promise<T | undefined>;
}
