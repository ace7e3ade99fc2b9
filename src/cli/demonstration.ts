import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INestApplicationContext } from '@nestjs/common';

import { SystemClients } from '../auth/system-clients/system-clients.js';
import type { Config } from '../config/config.js';
import { Database } from '../database/pools/database.js';
import type { CalendarDate } from '../domain/calendar.js';
import type { Uuid } from '../domain/uuid.js';
import { sql } from '../sql/sql.js';
import { seedCountry } from './seed-country.js';

/** The demonstration client's credentials, under their OAuth names. */
export interface DemonstrationClient {
  readonly client_id: Uuid;
  readonly client_secret: string;
  readonly sha_secret: string;
}

/** What is stored of the demonstration under `DATA_DIR`: first that it was begun, then its client. */
interface Kept {
  readonly client?: DemonstrationClient;
}

/** The demonstration country is always the same one. */
const DEMONSTRATION_SEED = 1;

/**
 * On an empty embedded database: seeds the demonstration country and registers a client for it (P-9). If it was killed,
 * the next start continues, and later starts find the credentials in `DATA_DIR` (mode 0600). Undefined if there is no
 * demonstration.
 */
export async function prepareDemonstration(
  services: INestApplicationContext,
  { DEMO_RECORDS: records, DATA_DIR: dataDir }: Pick<Config, 'DEMO_RECORDS' | 'DATA_DIR'>,
): Promise<DemonstrationClient | undefined> {
  const file = join(dataDir, 'demonstration.json');
  const clients = services.get(SystemClients);
  const kept = await read(file);
  // The database may have been replaced since the file was written.
  if (kept?.client !== undefined && (await clients.find(kept.client.client_id)) !== undefined) return kept.client;
  const wasBegun = kept !== undefined && kept.client === undefined;
  if (records === 0 || !(wasBegun || (await isEmpty(services.get(Database))))) return undefined;

  await write(file, {});
  await seedCountry(services, { records, seed: DEMONSTRATION_SEED, until: yesterday() });
  const { clientId, clientSecret, shaSecret } = await clients.register({
    registeredAs: 'NATIONAL_ID',
    name: 'demonstration',
    by: { clientId: 'demonstration', clientType: 'user' },
  });
  const client = { client_id: clientId, client_secret: clientSecret.reveal(), sha_secret: shaSecret.reveal() };
  await write(file, { client });
  return client;
}

const DAY_MS = 86_400_000;

/** So that searches for the last days find something, and nothing is in the future. */
const yesterday = (): CalendarDate => new Date(Date.now() - DAY_MS).toISOString().slice(0, 10) as CalendarDate;

async function isEmpty(database: Database): Promise<boolean> {
  const [row] = await database.query<{ empty: boolean }>(
    sql`select not exists (select from system_client) and not exists (select from event) as empty`,
  );
  return row?.empty === true;
}

async function read(file: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}

/** Atomic. */
async function write(file: string, kept: Kept): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
