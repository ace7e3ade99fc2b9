import type { Config } from '../config/config.js';
import { environment } from '../config/environment.js';
import { readConfig } from '../config/read-config.js';

/**
 * The variables of this process. Throws `ConfigError` with every fault, before anything is started: what `ROLES` says
 * of scopes too, which the framework would show with a stack trace, after a server was started in vain.
 */
export async function configuration(): Promise<Config> {
  const config = readConfig(environment());
  if (config.ROLES !== undefined) {
    const { Roles } = await import('../auth/users/roles.js');
    new Roles(config);
  }
  return config;
}
