import { identifier, Sql, sql } from './sql.js';

/**
 * Changes of different tables in one statement; undefined if none. None sees another; foreign keys are checked at the
 * end. Listed last to first, the server's order of execution and locks. None may begin with `with`.
 */
export function oneStatement(changes: readonly Sql[]): Sql | undefined {
  const [only, ...others] = changes;
  if (only === undefined || others.length === 0) return only;
  const steps = changes.map((change, at) => sql`${identifier(`step_${at}`)} as (${change})`);
  return sql`with ${Sql.join(steps.toReversed(), ', ')} select`;
}
