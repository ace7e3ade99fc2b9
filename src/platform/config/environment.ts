import { existsSync } from 'node:fs';

/** The environment of the process; outside production with what `.env` in the working directory adds to it (P-5). */
export function environment(): Readonly<Record<string, string | undefined>> {
  if (process.env.NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
