import { createApplication } from '../application.js';
import type { Config } from '../config/config.js';
import type { DatabaseServer } from '../database/database-server.js';
import { openServer } from '../database/server.js';
import { prepareDemonstration } from './demonstration.js';
import { tell } from './output.js';
import { welcome } from './welcome.js';

/**
 * Runs the service until SIGTERM or SIGINT, then ends it as P-8 says; a second signal ends it at once. Throws when it
 * cannot start.
 */
export async function serve(config: Config): Promise<void> {
  const server = await openServer({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, log: tell });
  let application: Awaited<ReturnType<typeof createApplication>> | undefined;
  try {
    application = await createApplication(config, server.url);
    const demonstration = server.embedded ? await prepareDemonstration(application.app, config) : undefined;
    await application.listen();
    tell(welcome(application, demonstration));
    await signalled();
    tell('Ending: requests in flight are finished first.');
  } finally {
    await closeAll(application, server);
  }
}

async function closeAll(application: { close(): Promise<void> } | undefined, server: DatabaseServer): Promise<void> {
  try {
    await application?.close();
  } finally {
    await server.close();
  }
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (): void => {
      if (asked) process.exit(1);
      asked = true;
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
