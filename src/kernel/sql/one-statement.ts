import { identifier, Sql, sql } from './sql.js';

/**
 * Changes of different tables as one statement, which is planned, sent and answered once; undefined if there are none.
 * None of them sees what another changes, and foreign keys among them are checked when all are made. They are listed
 * from the last to the first, as the server makes them from the last to the first: locks are taken in their order.
 * None may begin with `with`.
 */
export function oneStatement(changes: readonly Sql[]): Sql | undefined {
  const [only, ...others] = changes;
  if (only === undefined || others.length === 0) return only;
  const steps = changes.map((change, at) => sql`${identifier(`step_${at}`)} as (${change})`);
  return sql`with ${Sql.join(steps.toReversed(), ', ')} select`;
}
