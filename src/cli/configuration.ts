import type { Config } from '../platform/config/config.js';
import { environment } from '../platform/config/environment.js';
import { readConfig } from '../platform/config/read-config.js';

/** Throws `ConfigError` with all faults of the variables, or of `ROLES`, before anything starts. */
export async function configuration(): Promise<Config> {
  const config = readConfig(environment());
  if (config.ROLES !== undefined) {
    const { Roles } = await import('../auth/users/roles.js');
    new Roles(config);
  }
  return config;
}
