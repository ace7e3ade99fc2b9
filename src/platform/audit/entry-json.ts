import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Upstream's format of an entry, its JSON as recorded. */
export const ENTRY_JSON: Sql = sql`json_build_object(
  'id', id, 'clientId', client_id, 'clientType', client_type, 'operation', operation,
  'requestData', request_data, 'responseSummary', response_summary,
  'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
