import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';

import { UNICODE } from '../../database/derived-version.js';
import type { EventConfiguration } from '../../domain/event-configuration/event-configuration.js';
import { sql } from '../../sql/sql.js';
import type { ReindexSession } from '../reindex-session.js';
import type { ShadowTables } from '../shadow-tables.js';

/** What the rows of a reindex were derived from and by: a run goes on only with those that it would derive itself. */
export interface Origin {
  /** The cluster and the database in it: numbers of transactions mean something there only. */
  readonly database: string;
  /** The tables that searches read, and those that are to replace them. */
  readonly tables: string;
  /** Their definition, as a digest. */
  readonly definition: string;
  /** The version of derived data. */
  readonly version: string;
  /** The version of Unicode. */
  readonly unicode: string;
  /** The types of events, as a digest. */
  readonly configuration: string;
}

/** The origin of rows that this process derives into existing tables. */
export async function originOf(
  session: ReindexSession,
  tables: ShadowTables,
  { types, configured }: EventConfiguration,
): Promise<Origin> {
  const [found] = await session.query<Pick<Origin, 'database' | 'tables' | 'version'>>(sql`
    select (select system_identifier from pg_control_system()) || ' '
             || (select oid from pg_database where datname = current_database()) as database,
           concat_ws(' ', 'event_search'::regclass::oid, 'event_document'::regclass::oid,
                     to_regclass('event_search_next')::oid, to_regclass('event_document_next')::oid) as tables,
           current_setting('matricula.derived_version') as version`);
  if (found === undefined) throw new Error('the database does not say which one it is');
  return {
    ...found,
    unicode: UNICODE,
    definition: digest(JSON.stringify(tables.definitions)),
    configuration: digest(serialize({ types, configured })),
  };
}

/** Why a run cannot go on with rows of another origin; undefined if it can. */
export function reasonAgainst(left: Partial<Origin>, now: Origin): string | undefined {
  if (left.database !== now.database) return 'the database was moved or restored since';
  if (left.tables !== now.tables) return 'its tables were replaced or removed since';
  if (left.definition !== now.definition) return 'the schema was changed since';
  if (left.version !== now.version) return 'it was begun by a release that derives something else';
  if (left.unicode === undefined) return 'it was begun by an earlier release';
  if (left.unicode !== now.unicode) return 'it was begun by a Node.js with another Unicode';
  if (left.configuration !== now.configuration) return 'the types of events were changed since';
  return undefined;
}

const digest = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
