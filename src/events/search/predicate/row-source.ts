import { all, any, Sql, sql } from '../../../kernel/sql/sql.js';

export type RowSource =
  /** `isCostly`: checking a row takes longer than finding it. */
  | { readonly kind: 'condition'; readonly condition: Sql; readonly isCostly: boolean }
  /** `seqs` may have repetitions; `condition` is its equivalent on a row. */
  | { readonly kind: 'list'; readonly seqs: Sql; readonly condition: Sql };

export const foundBy = (condition: Sql, isCostly = false): RowSource => ({ kind: 'condition', condition, isCostly });

export const listed = (seqs: Sql): RowSource => ({ kind: 'list', seqs, condition: sql`s.seq = any (array(${seqs}))` });

export const seqsOf = (source: RowSource): Sql =>
  source.kind === 'list' ? source.seqs : sql`select s.seq from event_search s where ${source.condition}`;

/** PostgreSQL rechecks the whole OR on each row; where that is costly, each source finds its rows separately. */
export function anyFound(sources: readonly RowSource[], isCostly: boolean): RowSource {
  const [only, ...more] = sources;
  if (only !== undefined && more.length === 0) return only;
  return isCostly ? combined(sources, ' union all ') : foundBy(any(sources.map(({ condition }) => condition)));
}

/** PostgreSQL assumes ten rows for a list, and would try each pair of two lists, so these are intersected. */
export function allFound(sources: readonly RowSource[]): RowSource {
  if (sources.every(({ kind }) => kind === 'condition')) return together(sources);
  const lists = sources.filter((source) => source.kind === 'list' || source.isCostly);
  if (lists.length === 1) return together(sources);
  return together([...sources.filter((source) => !lists.includes(source)), combined(lists, ' intersect ')]);
}

function together(sources: readonly RowSource[]): RowSource {
  const [only, ...more] = sources;
  if (only !== undefined && more.length === 0) return only;
  const condition = all(sources.map((source) => source.condition));
  const found = foundBy(
    condition,
    sources.some((source) => source.kind === 'condition' && source.isCostly),
  );
  return sources.some(({ kind }) => kind === 'list') ? { kind: 'list', condition, seqs: seqsOf(found) } : found;
}

const combined = (sources: readonly RowSource[], operator: ' union all ' | ' intersect '): RowSource =>
  listed(
    Sql.join(
      sources.map((source) => sql`(${seqsOf(source)})`),
      operator,
    ),
  );
