import { existsSync } from 'node:fs';

/** The process environment; outside production completed by `.env` (P-5). */
export function environment(): Readonly<Record<string, string | undefined>> {
  if (process.env.NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
