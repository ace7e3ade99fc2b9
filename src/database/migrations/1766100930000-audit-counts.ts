import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many rows of the audit log each client has in each month that is over: the total of a page counts the other
 * months alone. `audit_count_months` counts, after the migration as well: a month may have tens of millions of rows.
 * A process of an earlier release counts all rows still, and adds to the counts without knowing.
 */
export class AuditCounts1766100930000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
    for (const statement of up(row?.schema ?? 'public')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function audit_count_late() cascade');
    await runner.query('drop function audit_count_months()');
    await runner.query('drop table audit_count, audit_counted_month');
  }
}

const up = (schema: string): readonly string[] => [
  // What a client has in a month is the sum of its rows here. There is none but one, unless rows came late.
  `create table audit_count (
     month text not null,
     client_id text not null,
     rows bigint not null
   )`,
  'create index audit_count_client on audit_count (client_id, month) include (rows)',
  // The months whose counts are whole. A month that is not here has some at most.
  `create table audit_counted_month (
     month text primary key,
     starts timestamptz not null,
     ends timestamptz not null
   )`,

  // Rows that come to a month that is over, by a clock that was set back or after a long wait. Each adds one, so that
  // those who write them do not wait for each other.
  `create function audit_count_late() returns trigger language plpgsql security definer
   set search_path = pg_catalog, ${schema}, pg_temp as $$
   begin
     insert into audit_count values (tg_table_name, new.client_id, 1);
     return null;
   end $$`,
  'revoke all on function audit_count_late() from public',

  // Does one step and says whether it was one. The trigger comes first, in a transaction of its own: to create it waits
  // for those who write to the month, and from then on none is missed. The months are counted one at a time, with no
  // lock that anybody waits for: what the trigger has noted and this statement sees is in the count, the rest is not.
  `create function audit_count_months() returns boolean language plpgsql security definer
   set search_path = pg_catalog, ${schema}, pg_temp
   set lock_timeout = '500ms' as $$
   declare
     partition text;
     is_watched boolean;
     watches boolean := false;
     starts timestamptz;
   begin
     if not pg_try_advisory_xact_lock(hashtext('matricula.audit-counts')) then return false; end if;
     delete from audit_counted_month m where not exists (
       select from pg_inherits i where i.inhparent = 'audit_log'::regclass and i.inhrelid = to_regclass(quote_ident(m.month)));
     delete from audit_count n where not exists (
       select from pg_inherits i where i.inhparent = 'audit_log'::regclass and i.inhrelid = to_regclass(quote_ident(n.month)));
     -- Late rows are put together. A clock that was ahead for an hour has had a month counted that is not over.
     for partition in
       select month from audit_count group by month having count(*) > count(distinct client_id) + 1000
     loop
       with late as (delete from audit_count where month = partition returning client_id, rows)
       insert into audit_count select partition, client_id, sum(rows) from late group by client_id;
     end loop;
     for partition, is_watched in
       select c.relname,
              exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'audit_log_count_late')
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'audit_log'::regclass and c.relname::text ~ '^audit_log_[0-9]{4}_[0-9]{2}$'
         -- A day later, when those who began in the month have mostly ended.
         and c.relname::text < 'audit_log_' || to_char((now() - interval '1 day') at time zone 'UTC', 'YYYY_MM')
         and not exists (select from audit_counted_month m where m.month = c.relname::text)
       order by 2, 1
     loop
       if not is_watched then
         begin
           execute format('create trigger audit_log_count_late after insert on %I
                           for each row execute function audit_count_late()', partition);
           watches := true;
         exception when lock_not_available or undefined_table then
           null;
         end;
       elsif watches then
         return true;
       else
         execute format('with counted as (delete from audit_count where month = %1$L)
                         insert into audit_count select %1$L, client_id, count(*) from %1$I group by client_id',
                        partition);
         starts := to_timestamp(partition, '"audit_log_"YYYY_MM')::timestamp at time zone 'UTC';
         insert into audit_counted_month
           values (partition, starts, (starts at time zone 'UTC' + interval '1 month') at time zone 'UTC');
         return true;
       end if;
     end loop;
     return watches;
   end $$`,
  'revoke all on function audit_count_months() from public',
];
