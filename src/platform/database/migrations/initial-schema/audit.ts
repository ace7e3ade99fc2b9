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
     only_row boolean primary key default true check (only_row)
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
     select months into kept from audit_retention;
     for partition in
       select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where kept > 0 and i.inhparent = 'audit_log'::regclass
         and c.relname::text < 'audit_log_' || to_char(this_month - make_interval(months => kept), 'YYYY_MM')
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
  'create table audit_count (month text not null, client_id text not null, rows bigint not null)',
  'create index audit_count_client on audit_count (client_id, month) include (rows)',
  // The months that are counted.
  `create table audit_counted_month (
     month text primary key,
     starts timestamptz not null,
     ends timestamptz not null
   )`,

  // Counts one month that is over, and says whether there was one. No row comes to it any more a day after its end.
  `create function audit_count_months() returns boolean language plpgsql security definer
   set search_path = pg_catalog, ${schema}, pg_temp
   set lock_timeout = '500ms' as $$
   declare
     partition text;
     starts timestamptz;
   begin
     if not pg_try_advisory_xact_lock(hashtext('matricula.audit-counts')) then return false; end if;
     delete from audit_counted_month m where not exists (
       select from pg_inherits i where i.inhparent = 'audit_log'::regclass and i.inhrelid = to_regclass(quote_ident(m.month)));
     delete from audit_count n where not exists (select from audit_counted_month m where m.month = n.month);
     select min(c.relname::text) into partition
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'audit_log'::regclass and c.relname::text ~ '^audit_log_[0-9]{4}_[0-9]{2}$'
        and c.relname::text < 'audit_log_' || to_char((now() - interval '1 day') at time zone 'UTC', 'YYYY_MM')
        and not exists (select from audit_counted_month m where m.month = c.relname::text);
     if partition is null then return false; end if;
     execute format('insert into audit_count select %1$L, client_id, count(*) from %1$I group by client_id', partition);
     starts := to_timestamp(partition, '"audit_log_"YYYY_MM')::timestamp at time zone 'UTC';
     insert into audit_counted_month
       values (partition, starts, (starts at time zone 'UTC' + interval '1 month') at time zone 'UTC');
     return true;
   end $$`,
  'revoke all on function audit_count_months() from public',

  'select audit_upkeep()',
];
