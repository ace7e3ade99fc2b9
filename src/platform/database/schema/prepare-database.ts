import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { isSqlError } from '../../../kernel/errors/sql-state.js';
import type { Config } from '../../config/config.js';
import { ADVISORY_LOCKS } from '../connection/advisory-locks.js';
import { DatabaseServerError } from '../connection/database-server.js';
import { allow } from '../connection/guarded-client.js';
import { InitialSchema1767225600000 } from '../migrations/initial-schema/1767225600000-initial-schema.js';
import { openWatched } from './data-source.js';

/** Statements queue behind a waiting migration, for example during a `pg_dump` (P-7). */
const LONGEST_WAIT = `set lock_timeout = '500ms'`;
const PAUSE_MS = 1_500;
const TOLD_AFTER_MS = 2_000;

/**
 * One process at a time, in one transaction on one connection (P-7); resolves with the migrations that ran. Retries
 * while a table is in use. `onWait` is called once if it must wait; `afterwards` runs before another process.
 */
export async function migrate(
  dataSource: DataSource,
  onWait: () => void = () => undefined,
  afterwards: () => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as object;
  allow(client, 'long');
  let isTold = false;
  const tellOnce = (): void => {
    if (!isTold) onWait();
    isTold = true;
  };
  try {
    await awaitOthers(runner, tellOnce);
    try {
      await runner.query(LONGEST_WAIT);
      const ran = await runOnceFree(dataSource, runner, tellOnce);
      await afterwards();
      return ran;
    } finally {
      // The lock is lost with the connection; the original error is the one to show.
      await runner
        .query(`set lock_timeout = 0; select pg_advisory_unlock(${ADVISORY_LOCKS.migration})`)
        .catch(() => undefined);
    }
  } finally {
    allow(client, 'usual');
    await runner.release();
  }
}

/** Takes the lock; without migrations others hold it only briefly. */
async function awaitOthers(runner: QueryRunner, onWait: () => void): Promise<void> {
  const waiting = setTimeout(onWait, TOLD_AFTER_MS);
  try {
    await runner.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
  } finally {
    clearTimeout(waiting);
  }
}

async function runOnceFree(dataSource: DataSource, runner: QueryRunner, onWait: () => void): Promise<string[]> {
  for (;;) {
    try {
      return await runPending(dataSource, runner);
    } catch (error) {
      if (!isSqlError(error, 'lockNotAvailable')) throw error;
      onWait();
      await sleep(PAUSE_MS);
    }
  }
}

async function runPending(dataSource: DataSource, runner: QueryRunner): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'all';
  await refuseEarlierBuild(runner);
  const ran = await executor.executePendingMigrations();
  return ran.map((migration) => migration.name);
}

/** A database from before the initial schema has migrations that no longer exist. */
async function refuseEarlierBuild(runner: QueryRunner): Promise<void> {
  const [table] = (await runner.query("select to_regclass('migration') is not null as is")) as { is: boolean }[];
  if (table?.is !== true) return;
  const ran = (await runner.query('select name from migration')) as { name: string }[];
  if (ran.length > 0 && ran.every(({ name }) => name !== InitialSchema1767225600000.name)) {
    throw new DatabaseServerError(
      'This database was made by a build before the initial schema: export its records with that build and import ' +
        'them into an empty database, or take another DATABASE_URL or DATA_DIR',
    );
  }
}

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
