import { createApplication } from './application.js';
import type { Config } from '../platform/config/config.js';
import type { DatabaseServer } from '../platform/database/connection/database-server.js';
import { openConfiguredServer } from './services.js';
import { prepareDemonstration } from './demonstration.js';
import { tell } from './output.js';
import { askedToEnd } from './termination.js';
import { welcome } from './welcome.js';

/**
 * Until SIGTERM or SIGINT (P-8); a second signal, or one during the start, ends it at once. Throws if it cannot start.
 */
export async function serve(config: Config): Promise<void> {
  const server = await openConfiguredServer(config);
  let application: Awaited<ReturnType<typeof createApplication>> | undefined;
  try {
    application = await createApplication(config, server.url);
    const demonstration = server.embedded ? await prepareDemonstration(application.app, config) : undefined;
    await application.listen();
    tell(welcome(application, config, demonstration));
    await askedToEnd();
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
