/** The PostgreSQL server that this process works with. */
export interface DatabaseServer {
  /** Address with credentials: never log it. */
  readonly url: string;
  /** Whether it runs under `DATA_DIR` rather than at a `DATABASE_URL`. */
  readonly embedded: boolean;
  /** Whether this call created its data directory. */
  readonly fresh: boolean;
  /** Stops the server if this process started it; may be called more than once. */
  close(): Promise<void>;
}
