/** The audit log (I-2): a table with a partition for each month, to which rows are only ever added. */
export const audit = (schema: string): readonly string[] => [
  // json, not jsonb: a request stays as it was sent, and costs less to write.
  `create table audit_log (
     created_at timestamptz not null default now(),
     id uuid not null,
     client_id text not null,
     client_type text not null check (client_type in ('system', 'user')),
     operation text not null,
     request_data json not null,
     response_summary json,
     primary key (created_at, id)
   ) partition by range (created_at)`,
  'create index audit_log_client on audit_log (client_id, created_at)',

  // One row. 0: for ever. Only its owner sets it, so that nobody else can have partitions dropped.
  `create table audit_retention (
     months int not null check (months >= 0),
     only_row boolean primary key default true check (only_row),
     passed text[] not null default '{}'
   )`,
  'insert into audit_retention (months) values (0)',

  `create function audit_refuse() returns trigger language plpgsql as $$
   begin
     raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
   end $$`,
  `create trigger audit_log_append_only before update or delete or truncate on audit_log
   for each statement execute function audit_refuse()`,

  // Runs with the rights of its owner, since the service may only read and add. It creates partitions for this month
  // and the next three, and drops those past retention. It waits for a conflicting lock no longer than searches can
  // bear: it is called again within the hour.
  `create function audit_upkeep() returns void language plpgsql security definer
   set search_path = pg_catalog, ${schema}, pg_temp
   set lock_timeout = '500ms' as $$
   declare
     this_month timestamp := date_trunc('month', now() at time zone 'UTC');
     month timestamp;
     partition text;
     kept int;
   begin
     perform pg_advisory_xact_lock(7265009);
     for ahead in 0..3 loop
       month := this_month + make_interval(months => ahead);
       partition := 'audit_log_' || to_char(month, 'YYYY_MM');
       continue when to_regclass(quote_ident(partition)) is not null;
       execute format('create table ${schema}.%I (like audit_log including all)', partition);
       execute format('create trigger audit_log_append_only before update or delete or truncate on %I
                       for each statement execute function audit_refuse()', partition);
       -- Unlike "create table … partition of" it holds up no writer.
       execute format('alter table audit_log attach partition %I for values from (%L) to (%L)',
                      partition, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
     end loop;
     partition := 'audit_log_' || to_char(this_month, 'YYYY_MM');
     update audit_retention set passed = passed || partition where partition <> all (passed);
     select months into kept from audit_retention;
     for partition in
       select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where kept > 0 and i.inhparent = 'audit_log'::regclass
         and c.relname::text < 'audit_log_' || to_char(this_month - make_interval(months => kept), 'YYYY_MM')
         and c.relname::text < (select one from audit_retention, unnest(passed) one
           where one < 'audit_log_' || to_char(this_month, 'YYYY_MM')
           order by one desc offset greatest(kept - 1, 0) limit 1)
     loop
       begin
         execute format('drop table %I', partition);
       exception when lock_not_available then
         perform set_config('lock_timeout', '1ms', true);
       end;
     end loop;
   end $$`,
  'revoke all on function audit_upkeep() from public',

  // How many rows each client has in each month that is over: the total of a page counts the other months alone.
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

  'select audit_upkeep()',
];
