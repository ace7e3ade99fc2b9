/** Whose attempts are counted together: a client id, hashed, and the address that it comes from. */
export interface CredentialPair {
  /** Hash of the client id as it was given: of bounded length, and safe as part of a key. */
  readonly clientIdHash: string;
  readonly address: string;
}

/** Counts failed credentials per pair (G-8). The gateway provides it: in memory, or in Redis for all processes. */
export abstract class FailedCredentialLimit {
  /** How long the pair has to wait; undefined while it may try. */
  abstract isBlocked(pair: CredentialPair): Promise<{ readonly retryAfterSeconds: number } | undefined>;

  abstract countFailure(pair: CredentialPair): Promise<void>;
}
