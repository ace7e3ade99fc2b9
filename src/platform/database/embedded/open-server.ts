import type { Secret } from '../../config/secret.js';
import { awaitServer } from '../connection/await-server.js';
import type { DatabaseServer } from '../connection/database-server.js';
import { openEmbeddedServer } from './embedded-server.js';

interface ServerOptions {
  readonly databaseUrl: Secret | undefined;
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** For a server that may still be starting. */
  readonly patienceSeconds?: number;
}

/**
 * Connects to `databaseUrl`, or else to an embedded server under `dataDir` (P-2). Throws `DatabaseServerError` with
 * what was tried and what helps.
 */
export async function openServer({
  databaseUrl,
  dataDir,
  log,
  patienceSeconds = 60,
}: ServerOptions): Promise<DatabaseServer> {
  if (databaseUrl === undefined) return openEmbeddedServer(dataDir, log);
  const url = databaseUrl.reveal();
  await awaitServer(url, patienceSeconds, log);
  return { url, embedded: false, fresh: false, close: () => Promise.resolve() };
}
