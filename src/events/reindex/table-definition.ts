import type { Queryable } from '../../platform/database/connection/queryable.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { NOTING_TRIGGER } from './noted-changes.js';

interface NamedStatement {
  readonly name: string;
  readonly statement: string;
}

/** Creates an empty copy, `…_next`. */
export interface TableDefinition {
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

export const nextName = (name: string): string => `${name}_next`;

/** PostgreSQL truncates names at 63 bytes: another index could have the result. */
const nextNameOf = (name: Sql): Sql =>
  sql`case when octet_length(${name}::text) <= 58
             and not exists (select from pg_index as other join pg_class as named on named.oid = other.indexrelid
                              where other.indrelid = live.oid and named.relname = ${name} || '_next')
           then ${name} || '_next' else 'next_' || md5(${name}::text) end`;

/** From the catalogue. */
export async function tableDefinition(reader: Queryable, table: string): Promise<TableDefinition> {
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
             select format('alter table %I set (toast.%I = %L)', ${next}::text, option_name, option_value)
               from pg_class as toast, pg_options_to_table(toast.reloptions) where toast.oid = live.reltoastrelid
              union all
             select format('alter table %I alter %I set statistics %s', ${next}::text, attname, attstattarget)
               from pg_attribute where attrelid = live.oid and attnum > 0 and not attisdropped and attstattarget >= 0
              union all
             select format('alter table %I alter %I set (%I = %L)', ${next}::text, attname, option_name, option_value)
               from pg_attribute, pg_options_to_table(attoptions)
              where attrelid = live.oid and attnum > 0 and not attisdropped and starts_with(option_name, 'n_distinct')
              union all
             select format('alter table %I owner to %I', ${next}::text, pg_get_userbyid(relowner))
              where pg_get_userbyid(relowner) <> current_user
              union all
             select format('grant %s on %I to %s%s', privilege_type, ${next}::text, grantee_name, grant_option)
               from aclexplode(relacl) as acl, ${GRANTEE} where acl.grantee <> relowner
              union all
             select format('grant %s (%I) on %I to %s%s', privilege_type, attname, ${next}::text, grantee_name, grant_option)
               from pg_attribute, aclexplode(attacl) as acl, ${GRANTEE}
              where attrelid = live.oid and attnum > 0 and not attisdropped and acl.grantee <> relowner)
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
              where tgrelid = live.oid and not tgisinternal and not starts_with(tgname, ${NOTING_TRIGGER}) order by tgname)
             as triggers
      from pg_class as live join pg_namespace as namespace on namespace.oid = relnamespace
     where live.oid = ${table}::regclass`);
  if (definition === undefined) throw new Error(`there is no table ${table}`);
  return { table, ...definition };
}

const GRANTEE = sql`lateral (
  select case acl.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(acl.grantee)) end as grantee_name,
         case when is_grantable then ' with grant option' else '' end as grant_option) as granted`;
