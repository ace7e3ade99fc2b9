import type { Connections } from '../../platform/database/pools/connections.js';
import { sql } from '../../kernel/sql/sql.js';
import { type ActiveClient, CLIENT_COLUMNS } from './client-status.js';

/** A client as its row has it now. */
export interface StoredClient extends ActiveClient {
  readonly active: boolean;
}

/** Looked up in place of an id that is none: the work stays the same. */
export const NO_CLIENT = '00000000-0000-0000-0000-000000000000';

/** The client; undefined if it never existed. */
export async function storedClient(database: Connections, clientId: string): Promise<StoredClient | undefined> {
  const [client] = await database.query<StoredClient>(
    sql`select ${CLIENT_COLUMNS}, status = 'active' as active from system_client where client_id = ${clientId}`,
  );
  return client;
}
