import type { Config } from '../platform/config/config.js';
import { environment } from '../platform/config/environment.js';
import { readConfig } from '../platform/config/read-config.js';

/**
 * The variables of this process. Throws `ConfigError` before anything is started: with every fault of the variables or,
 * if there is none, with what `ROLES` says of scopes. The framework would show the latter with a stack trace, after a
 * server was started in vain.
 */
export async function configuration(): Promise<Config> {
  const config = readConfig(environment());
  if (config.ROLES !== undefined) {
    const { Roles } = await import('../auth/users/roles.js');
    new Roles(config);
  }
  return config;
}
