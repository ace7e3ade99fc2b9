import type { DataSource } from 'typeorm';

/** The service truncates these tables, since it can rebuild them. */
const EMPTIED = ['bitmap', 'bitmap_begun', 'bitmap_chunk', 'bitmap_dirty'];

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
export async function grantService(owner: DataSource, role: string): Promise<void> {
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
