import type { Connections } from '../../platform/database/pools/connections.js';
import { sql } from '../../kernel/sql/sql.js';
import { type ActiveClient, CLIENT_COLUMNS } from './client-status.js';

export interface StoredClient extends ActiveClient {
  readonly active: boolean;
}

/** Looked up for an invalid id, to keep the work equal. */
export const NO_CLIENT = '00000000-0000-0000-0000-000000000000';

/** Undefined if it never existed. */
export async function storedClient(database: Connections, clientId: string): Promise<StoredClient | undefined> {
  const [client] = await database.query<StoredClient>(
    sql`select ${CLIENT_COLUMNS}, status = 'active' as active from system_client where client_id = ${clientId}`,
  );
  return client;
}
