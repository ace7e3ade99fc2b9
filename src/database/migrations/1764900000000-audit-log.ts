import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who did what (I-2): a table with a partition for each month, to which rows are only ever added. */
export class AuditLog1764900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
    for (const statement of up(row?.schema ?? 'public')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function audit_upkeep()');
    await runner.query('drop table audit_log, audit_retention');
    await runner.query('drop function audit_refuse()');
  }
}

const up = (schema: string): readonly string[] => [
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
         null;
       end;
     end loop;
   end $$`,
  'revoke all on function audit_upkeep() from public',
  'select audit_upkeep()',
];
