import pg from 'pg';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { Sql, sql } from '../../kernel/sql/sql.js';
import { SET_DERIVED_VERSION } from '../../platform/database/connection/derived-version.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { FORGET_BITMAPS } from '../index/statistics/write-bitmaps.js';
import type { DerivedTables } from '../records/write-changes.js';
import type { ReindexSession } from './reindex-session.js';

interface NamedStatement {
  readonly name: string;
  readonly statement: string;
}

/** Creates an empty copy, `…_next`. */
interface TableDefinition {
  readonly table: string;
  readonly columns: readonly string[];
  readonly create: string;
  /** Storage and vacuum settings, statistics, and grants. */
  readonly settings: readonly string[];
  /** Includes those of constraints, renamed until the swap. */
  readonly indexes: readonly (NamedStatement & { readonly next: string })[];
  /** Existing rows are not checked until `validation` runs. */
  readonly foreignKeys: readonly (NamedStatement & { readonly validation: string })[];
  /** For the final table name. */
  readonly triggers: readonly string[];
}

const nextName = (name: string): string => `${name}_next`;

/** Of any length, and of no other index: names have 63 bytes. */
const nextNameOf = (name: Sql): Sql => sql`'next_' || md5(${name}::text)`;

/** From the catalogue. */
async function tableDefinition(reader: Queryable, table: string): Promise<TableDefinition> {
  const next = nextName(table);
  const [definition] = await reader.query<Omit<TableDefinition, 'table'>>(sql`
    select array(select format('%I %s %s %s', attname, format_type(atttypid, atttypmod), attnotnull, atthasdef)
                   from pg_attribute where attrelid = live.oid and attnum > 0 and not attisdropped order by attnum)
             as columns,
           format('create table %I.%I (like %I.%I including all excluding indexes excluding statistics)',
                  nspname, ${next}::text, nspname, relname) as "create",
           array(
             select format('alter table %I set (%I = %L)', ${next}::text, option_name, option_value)
               from pg_options_to_table(reloptions)
              union all
             select format('alter table %I alter %I set statistics %s', ${next}::text, attname, attstattarget)
               from pg_attribute where attrelid = live.oid and attnum > 0 and not attisdropped and attstattarget >= 0
              union all
             select format('alter table %I owner to %I', ${next}::text, pg_get_userbyid(relowner))
              where pg_get_userbyid(relowner) <> current_user
              union all
             select format('grant %s on %I to %s%s', privilege_type, ${next}::text, grantee_name, grant_option)
               from aclexplode(relacl) as acl, ${GRANTEE} where acl.grantee <> relowner)
             as settings,
           array(
             select jsonb_build_object('name', conname, 'next', ${nextNameOf(sql`conname`)}, 'statement', format('alter table %I add constraint %I %s',
                      ${next}::text, ${nextNameOf(sql`conname`)}, pg_get_constraintdef(oid)))
               from pg_constraint where conrelid = live.oid and contype in ('p', 'u', 'x') order by conname)
             ||
           array(
             select jsonb_build_object('name', relname, 'next', ${nextNameOf(sql`indexed.relname`)}, 'statement', format('create %sindex %I on %I %s',
                      case when indisunique then 'unique ' else '' end, ${nextNameOf(sql`indexed.relname`)}, ${next}::text,
                      regexp_replace(pg_get_indexdef(indexrelid), '^.*? USING ', 'using ')))
               from pg_index join pg_class as indexed on indexed.oid = indexrelid
              where indrelid = live.oid and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
              order by relname) as indexes,
           array(
             select jsonb_build_object(
                      'name', conname,
                      'statement', format('alter table %I add constraint %I %s not valid', ${next}::text, conname, pg_get_constraintdef(oid)),
                      'validation', format('alter table %I validate constraint %I', ${next}::text, conname))
               from pg_constraint where conrelid = live.oid and contype = 'f' order by conname) as "foreignKeys",
           array(
             select pg_get_triggerdef(oid) from pg_trigger
              where tgrelid = live.oid and not tgisinternal order by tgname) as triggers
      from pg_class as live join pg_namespace as namespace on namespace.oid = relnamespace
     where live.oid = ${table}::regclass`);
  if (definition === undefined) throw new Error(`there is no table ${table}`);
  return { table, ...definition };
}

const GRANTEE = sql`lateral (
  select case acl.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(acl.grantee)) end as grantee_name,
         case when is_grantable then ' with grant option' else '' end as grant_option) as granted`;

export const NEXT_TABLES: DerivedTables = { search: sql`event_search_next`, documents: sql`event_document_next` };

const LIVE = ['event_search', 'event_document'];

/** For tables left by a killed run. */
export const DROP_SHADOW_TABLES = LIVE.map((table) => `drop table if exists ${nextName(table)}`);

export class ShadowTables {
  private constructor(
    private readonly session: ReindexSession,
    /** The live tables' definitions. */
    private readonly definitions: readonly TableDefinition[],
  ) {}

  /** Without indexes and foreign keys. Fails if other objects depend on the live tables. */
  static async create(session: ReindexSession): Promise<ShadowTables> {
    await refuseDependents(session);
    const definitions = await definitionsOf(session);
    await session.transaction(() =>
      session.execute(definitions.flatMap(({ create, settings }) => [create, ...settings])),
    );
    return new ShadowTables(session, definitions);
  }

  /** In a suitable order, with their later names. */
  get indexes(): TableDefinition['indexes'] {
    return this.definitions.flatMap(({ indexes }) => indexes);
  }

  /** Deletions of events then cascade. `onRefused`: see `patiently`. */
  async addForeignKeys(onRefused: (attempts: number) => void): Promise<void> {
    const keys = this.definitions.flatMap(({ foreignKeys }) => foreignKeys);
    await this.session.patiently(() => this.session.execute(keys.map(({ statement }) => statement)), onRefused);
    for (const table of [NEXT_TABLES.search, NEXT_TABLES.documents]) {
      await this.session.query(
        sql`delete from ${table} as derived where not exists (select from event where event.seq = derived.seq)`,
      );
    }
    await this.session.execute(keys.map(({ validation }) => validation));
  }

  /** Requires no transaction. Also sets the visibility map. */
  vacuum(): Promise<void> {
    return this.session.execute(LIVE.map((table) => `vacuum (analyze) ${nextName(table)}`));
  }

  /** Compares the live definitions. */
  async areStillAlike(): Promise<boolean> {
    return JSON.stringify(await definitionsOf(this.session)) === JSON.stringify(this.definitions);
  }

  /** Replaces the live tables, with this program's version (Q-5). Requires a transaction that holds all locks. */
  async takeOver(): Promise<void> {
    await this.session.execute([
      ...LIVE.map((table) => `drop table ${table}`),
      ...LIVE.map((table) => `alter table ${nextName(table)} rename to ${table}`),
      ...this.indexes.map(({ name, next }) => `alter index ${quoted(next)} rename to ${quoted(name)}`),
      ...this.definitions.flatMap(({ triggers }) => triggers),
    ]);
    await this.session.query(SET_DERIVED_VERSION);
    await this.session.query(FORGET_BITMAPS);
  }
}

/** An external index may have any name. */
const quoted = (name: string): string => pg.escapeIdentifier(name);

/** Dependents would keep the old table. */
async function refuseDependents(session: ReindexSession): Promise<void> {
  const dependents = await session.query<{ name: string }>(sql`
    with live as (select oid from pg_class where oid = any (${LIVE}::text[]::regclass[]))
    select distinct ev_class::regclass::text as name from pg_depend join pg_rewrite on pg_rewrite.oid = objid
     where classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass and refobjid in (select oid from live)
     union
    select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid in (select oid from live)
     order by name`);
  if (dependents.length === 0) return;
  const names = dependents.map(({ name }) => name).join(', ');
  throw new ServiceError(
    'CONFLICT',
    `The tables that searches read cannot be replaced, because ${names} refer to them: drop those, and make them again afterwards.`,
  );
}

async function definitionsOf(session: ReindexSession): Promise<readonly TableDefinition[]> {
  const definitions: TableDefinition[] = [];
  for (const table of LIVE) definitions.push(await tableDefinition(session, table));
  return definitions;
}

/** Parent, live tables, and replacements. */
export const SWAPPED_TABLES: Sql = Sql.join(
  [
    sql`event`,
    sql`event_search`,
    sql`event_document`,
    NEXT_TABLES.search,
    NEXT_TABLES.documents,
    sql`bitmap`,
    sql`bitmap_chunk`,
    sql`bitmap_dirty`,
  ],
  ', ',
);
