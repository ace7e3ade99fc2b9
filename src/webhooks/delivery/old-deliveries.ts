import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Contexts that are looked at together. A context may have thousands of deliveries, and these their attempts. */
const MOST_CONTEXTS = 1_000;
const MOST_DELIVERIES = 5_000;

/** The oldest contexts from before `ms`. */
const oldest = (ms: number): Sql => sql`
  select id from webhook_context where created_at < ${new Date(ms)}::timestamptz
   order by created_at limit ${MOST_CONTEXTS}`;

/**
 * Removes deliveries of the oldest contexts from before `ms`, and returns their ids; where there are `most`, more may
 * be left. Ids in a list are looked up: as a join, all deliveries were read for each portion.
 */
export const oldDeliveriesRemoved = (ms: number): { readonly statement: Sql; readonly most: number } => ({
  statement: sql`
    delete from webhook_delivery where id = any (array(
      select d.id
        from (${oldest(ms)}) context
       cross join lateral (
         select id from webhook_delivery where context_id = context.id
          limit ${MOST_DELIVERIES} for update skip locked) d
       limit ${MOST_DELIVERIES}))
    returning id`,
  most: MOST_DELIVERIES,
});

/**
 * Removes those of the oldest contexts from before `ms` that have no deliveries any more, and returns their ids. Each
 * is looked up: with a `not exists`, PostgreSQL compared all old contexts with all deliveries for each portion, which
 * took longer than a statement may where removal was behind by some millions.
 */
export const emptyContextsRemoved = (ms: number): Sql => sql`
  delete from webhook_context where id = any (array(
    select id from (${oldest(ms)} for update skip locked) context
     where (select true from webhook_delivery where context_id = context.id limit 1) is null))
  returning id`;
