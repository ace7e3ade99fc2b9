import type { DataSource } from 'typeorm';
import { isSqlError } from '../../../kernel/errors/sql-state.js';
import type { Config } from '../../config/config.js';
import { migrate } from './migrate.js';
import { openWatched } from './data-source.js';

/** The service truncates these tables, since it can rebuild them. */
const EMPTIED = ['bitmap', 'bitmap_chunk', 'bitmap_dirty'];

/** Exceptions from the rights on records. */
const RIGHTS: ReadonlyMap<string, string> = new Map([
  ['audit_count', 'select'],
  ['audit_counted_month', 'select'],
  ['audit_log', 'select, insert'],
  ['audit_retention', 'select'],
  ['migration', 'select'],
  ...EMPTIED.map((table) => [table, 'select, insert, update, delete, truncate'] as const),
]);
const USUAL = 'select, insert, update, delete';

/**
 * Grants exactly the service's rights: on the audit log only reading and adding (I-2), through the whole table.
 * `owner`, if the same role, keeps its rights.
 */
async function grantService(owner: DataSource, role: string): Promise<void> {
  const relations = await owner.query<readonly Relation[]>(
    `select c.relname as name, c.relkind as kind, c.relispartition as is_partition,
            quote_ident(n.nspname) as schema, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as full_name,
            quote_ident($1) as role
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'p', 'S') and $1 <> current_user`,
    [role],
  );
  const [one] = relations;
  if (one === undefined) return;
  const statements = [
    `grant usage on schema ${one.schema} to ${one.role}`,
    `grant execute on function ${one.schema}.audit_upkeep(), ${one.schema}.audit_count_months() to ${one.role}`,
    ...relations.flatMap(rightsOf),
  ];
  await owner.transaction(async (transaction) => {
    for (const statement of statements) await transaction.query(statement);
  });
}

interface Relation {
  readonly name: string;
  readonly kind: 'r' | 'p' | 'S';
  readonly is_partition: boolean;
  readonly schema: string;
  readonly full_name: string;
  readonly role: string;
}

function rightsOf({ name, kind, is_partition: isPartition, full_name: relation, role }: Relation): readonly string[] {
  if (kind === 'S') return [`grant usage, select on sequence ${relation} to ${role}`];
  const revoked = `revoke all on ${relation} from ${role}`;
  return isPartition ? [revoked] : [revoked, `grant ${RIGHTS.get(name) ?? USUAL} on ${relation} to ${role}`];
}

/**
 * Migrates, sets audit retention and creates partitions, one process at a time, before any read (P-7). Resolves with
 * the migrations that ran. The role of `DATABASE_MIGRATION_URL`, if set, does this and owns the tables; that of `url`
 * gets the service's rights. `onWait`: see `migrate`.
 */
export async function prepareDatabase(
  url: string,
  config: Pick<Config, 'DATABASE_MIGRATION_URL' | 'AUDIT_RETENTION_MONTHS'>,
  onWait?: () => void,
): Promise<string[]> {
  const ownerUrl = config.DATABASE_MIGRATION_URL?.reveal();
  return connected(ownerUrl ?? url, (owner) =>
    migrate(owner, onWait, async () => {
      await owner.query('update audit_retention set months = $1 where months <> $1', [config.AUDIT_RETENTION_MONTHS]);
      await upkeep(owner);
      if (ownerUrl !== undefined) await grantService(owner, await connected(url, roleOf));
    }),
  );
}

/** Another service may do it at this moment; hourly runs repeat it. */
async function upkeep(owner: DataSource): Promise<void> {
  try {
    await owner.query('select audit_upkeep()');
  } catch (error) {
    if (!isSqlError(error, 'lockNotAvailable')) throw error;
  }
}

async function connected<T>(url: string, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const { dataSource, close } = await openWatched(url, 2);
  try {
    return await work(dataSource);
  } finally {
    await close();
  }
}

async function roleOf(dataSource: DataSource): Promise<string> {
  const [row] = await dataSource.query<readonly { readonly role: string }[]>('select current_user as role');
  return row?.role ?? '';
}
