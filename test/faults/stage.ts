import type { PostgresServer } from './postgres-server.js';

/** The database of one scenario: how the service comes to it, and the test. */
export interface Stage {
  /** What the service is told of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the test reaches it, whatever stands between it and the service. */
  readonly url: () => Promise<string>;
  /** Leaves nothing of it behind. */
  readonly remove: () => Promise<void>;
}

let made = 0;

/** An empty database on the server of the run; `where` is what else `create database` is told. */
export async function sharedStage(postgres: PostgresServer, where?: string): Promise<Stage> {
  made += 1;
  const name = `faults_${made}`;
  const url = await postgres.createDatabase(name, where);
  return {
    environment: { DATABASE_URL: url },
    url: () => Promise.resolve(url),
    remove: () => postgres.dropDatabase(name),
  };
}
