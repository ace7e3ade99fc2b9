import type { Prng } from '../../demo/prng.js';
import { answerIn } from '../../src/events/index/values/document.js';
import { all, type Sql, sql } from '../../src/kernel/sql/sql.js';
import type { Nation } from '../data/nation.js';

/** A search, and what it asks for in SQL of its own, over the columns of `r`: see `RECORDS`. */
export interface CountedSearch {
  readonly query: object;
  readonly matches: Sql;
}

/**
 * Where records are counted: in the columns that searches use as well, or in the answers themselves. `offset 0` has each
 * text read once for a record, and not once for each condition.
 */
export const RECORDS = {
  columns: withFolded(sql`
    select s.id, s.seq, s.type, s.status, s.flags, s.updated_at, s.updated_at_location as updated_at_place,
           s.registered_created_at_location as registered_at_place, ${answerIn(sql`d.body`)} as body
      from event_search s join event_document d using (seq)`),
  answers: withFolded(sql`
    select (b->>'id')::uuid as id, seq, b->>'type' as type, b->>'status' as status,
           array(select jsonb_array_elements_text(b->'flags')) as flags, (b->>'updatedAt')::timestamptz as updated_at,
           (b->>'updatedAtLocation')::uuid as updated_at_place,
           (b#>>'{legalStatuses,REGISTERED,createdAtLocation}')::uuid as registered_at_place, body
      from (select seq, body, body::jsonb as b
              from (select seq, ${answerIn(sql`body`)} as body from event_document offset 0) a offset 0) d`),
};

/** With the body in small letters, as far as they are ASCII: names that are looked for have no others. */
function withFolded(records: Sql): Sql {
  return sql`(select *, lower(body collate "C") as folded from (${records} offset 0) a offset 0) r`;
}

const STATUSES = ['CREATED', 'NOTIFIED', 'DECLARED', 'REGISTERED', 'ARCHIVED'] as const;
const FLAGS = ['paper-register', 'late-registration', 'certified', 'rejected', 'incomplete', 'sealed'];

/** Draws a search for types, statuses, flags, places and names, from the rarest to the most common. */
export function drawSearch(prng: Prng, nation: Nation): CountedSearch {
  const draws = [status, type, statuses, flags, notFlag, place, registeredPlace, name];
  const some = (): CountedSearch => prng.pick(draws)(prng, nation);
  const kind = prng.between(0, 9);
  if (kind < 3) return some();
  if (kind < 8) return combined('and', [some(), some(), ...(prng.chance(0.3) ? [some()] : [])]);
  return combined('or', [combined('and', [some(), some()]), some()]);
}

function combined(type: 'and' | 'or', searches: readonly CountedSearch[]): CountedSearch {
  const matches = searches.map((search) => search.matches);
  return {
    query: { type, clauses: searches.map(({ query }) => query) },
    matches: type === 'and' ? all(matches) : matches.reduce((left, right) => sql`(${left} or ${right})`),
  };
}

const one = (expression: object, matches: Sql): CountedSearch => ({ query: { clauses: [expression] }, matches });

function status(prng: Prng): CountedSearch {
  const term = prng.pick(STATUSES);
  return one({ status: { type: 'exact', term } }, sql`r.status = ${term}`);
}

function type(prng: Prng): CountedSearch {
  const term = prng.pick(['birth', 'birth', 'death', 'marriage']);
  return one({ eventType: term }, sql`r.type = ${term}`);
}

function statuses(prng: Prng): CountedSearch {
  const terms = [prng.pick(STATUSES), prng.pick(STATUSES)];
  return one({ status: { type: 'anyOf', terms } }, sql`r.status = any (${terms}::text[])`);
}

function flags(prng: Prng): CountedSearch {
  const [anyOf, noneOf] = [[prng.pick(FLAGS), prng.pick(FLAGS)], [prng.pick(FLAGS)]];
  return one({ flags: { anyOf, noneOf } }, sql`(r.flags && ${anyOf}::text[] and not r.flags && ${noneOf}::text[])`);
}

function notFlag(prng: Prng): CountedSearch {
  const noneOf = [prng.pick(FLAGS)];
  return one({ flags: { noneOf } }, sql`not r.flags && ${noneOf}::text[]`);
}

function place(prng: Prng, nation: Nation): CountedSearch {
  const location = prng.pick(prng.pick([nation.provinces, nation.districts, nation.villages]));
  return one({ updatedAtLocation: { type: 'within', location } }, sql`r.updated_at_place in ${below(location)}`);
}

function registeredPlace(prng: Prng, nation: Nation): CountedSearch {
  const location = prng.pick(prng.pick([nation.provinces, nation.wards]));
  return one(
    { 'legalStatuses.REGISTERED.createdAtLocation': { type: 'within', location } },
    sql`r.registered_at_place in ${below(location)}`,
  );
}

/** Names of one ASCII word, so that folding them is lower-casing them. */
function name(prng: Prng, { names }: Nation): CountedSearch {
  const surnames = names.surnames.slice(0, 400).filter((surname) => /^[A-Za-z]+$/.test(surname));
  const term = prng.pick(surnames);
  return one(
    { data: { 'child.name': { type: 'exact', term } } },
    sql`(strpos(r.folded, ${term.toLowerCase()}) > 0 and exists (
           select from jsonb_each_text((r.body::jsonb)->'declaration'->'child.name') part
            where lower(part.value) = lower(${term})))`,
  );
}

const below = (location: string): Sql => sql`(
  with recursive inside as (
    select ${location}::uuid as id union all select p.id from place p join inside i on p.part_of = i.id
  ) select id from inside)`;
