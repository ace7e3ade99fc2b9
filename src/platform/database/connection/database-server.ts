/** The message says what was tried and what helps; a stack would add nothing. */
export class DatabaseServerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseServerError';
  }
}

export interface DatabaseServer {
  /** Contains credentials: never log it. */
  readonly url: string;
  /** Runs under `DATA_DIR`, not at `DATABASE_URL`. */
  readonly embedded: boolean;
  readonly fresh: boolean;
  /** Stops a server of this process; idempotent. */
  close(): Promise<void>;
}
