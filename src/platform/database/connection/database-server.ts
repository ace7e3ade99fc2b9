export interface DatabaseServer {
  /** Contains credentials: never log it. */
  readonly url: string;
  /** Runs under `DATA_DIR`, not at `DATABASE_URL`. */
  readonly embedded: boolean;
  readonly fresh: boolean;
  /** Stops a server of this process; idempotent. */
  close(): Promise<void>;
}
