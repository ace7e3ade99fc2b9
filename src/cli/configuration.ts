import type { Config } from '../platform/config/config.js';
import { environment } from '../platform/config/environment.js';
import { readConfig } from '../platform/config/read-config.js';

/**
 * Throws `ConfigError` with every fault of the variables, else with those of `ROLES` about scopes, before anything
 * starts: Nest would print a stack trace.
 */
export async function configuration(): Promise<Config> {
  const config = readConfig(environment());
  if (config.ROLES !== undefined) {
    const { Roles } = await import('../auth/users/roles.js');
    new Roles(config);
  }
  return config;
}
