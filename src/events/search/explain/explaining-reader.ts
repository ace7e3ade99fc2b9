import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';

export interface ExplainedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly rows: number;
  readonly ms: number;
  /** The output of `explain (analyze, buffers, format json)`, from a second execution. */
  readonly plan: unknown;
}

export class ExplainingReader implements Queryable {
  readonly statements: ExplainedStatement[] = [];

  constructor(private readonly snapshot: Queryable) {}

  async query<Row>(statement: Sql): Promise<Row[]> {
    const began = performance.now();
    const rows = await this.snapshot.query<Row>(statement);
    const ms = performance.now() - began;
    const [explained] = await this.snapshot.query<{ readonly 'QUERY PLAN': unknown }>(
      sql`explain (analyze, buffers, format json) ${statement}`,
    );
    const { text, params } = statement.toQuery();
    this.statements.push({
      sql: text,
      parameters: params.map(asJson),
      rows: rows.length,
      ms: Math.round(ms * 1_000) / 1_000,
      plan: explained?.['QUERY PLAN'],
    });
    return rows;
  }
}

/** A list of terms becomes its length: terms exceed the numbers of JSON. */
function asJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!Array.isArray(value)) return value;
  const isOfTerms = value.length > FEW_TERMS && value.every((item) => typeof item === 'bigint');
  return isOfTerms ? `${value.length} terms` : value.map(asJson);
}

const FEW_TERMS = 4;
