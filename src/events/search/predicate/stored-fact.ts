import { type Sql, sql } from '../../../kernel/sql/sql.js';

export const DOCUMENT = sql`d.body`;

/** The rows `fact`: a single fact, or each of a list. */
export const factsOfValue = (value: Sql): Sql => sql`jsonb_path_query(${value}, '$[*]') as f(fact)`;

export const MEMBERS = sql`fact -> 'm'`;

/** The rows `fact` of a member of the outer `fact`; with `parent.is_name`, if `tellsNames`. */
export const factsOfMember = (key: string, tellsNames: boolean): Sql =>
  sql`${tellsNames ? sql`(select ${IS_NAME} as is_name offset 0) as parent, ` : sql``}${factsOfValue(sql`${MEMBERS} -> ${key}::text`)}`;

// Over `fact` (see `StoredFact`); NULL where it has no such value.

const PLAIN = sql`(fact #>> '{}') collate "C"`;

/** exact: `Fact.t`. */
export const TEXT = textOf(sql`fact`);

/** range: `Fact.x`. */
export const SPELLED = sql`(case jsonb_typeof(fact) when 'string' then fact #>> '{}' else coalesce(fact ->> 'x', fact ->> 'u') end) collate "C"`;

/** exact, range: `Fact.n`. */
export const NUMBER = sql`(case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric`;

/** exact: `Fact.w`, as an array. */
export const NAME_WORDS = sql`string_to_array(fact ->> 'w', ' ')`;

/** fuzzy: `Fact.w` or `Fact.q`, as an array. */
export const WORDS = sql`(case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower(${PLAIN}), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end)`;

/** fuzzy: `Fact.j`, as an array. */
export const JOINS = sql`string_to_array(fact ->> 'j', ' ')`;

export const IS_NAME = sql`fact ->> 'w' is not null`;

/** Requires `factsOfMember` with `tellsNames`. */
export const IS_PART_OF_NAME = sql`parent.is_name`;

/** range: `Fact.d`. */
export const DATE = sql`(fact ->> 'd') collate "C"`;

export const AREA = sql`coalesce(fact ->> 'a', case ${MEMBERS} ->> 'addressType' when 'DOMESTIC' then ${MEMBERS} -> 'administrativeArea' ->> 'u' end)`;

/** within: `Fact.a`. */
export const PLACE = sql`(case when fact ->> 'c' is null then fact ->> 'u' else ${AREA} end)`;

/** The first day of `Fact.r`. */
export const START = sql`fact -> 'r' ->> 0`;

/** The day after its last. */
export const END = sql`fact -> 'r' ->> 1`;

/** S-12, as JSON: the number or text as stored, the order of a name; NULL for lists and other objects. */
export const scalarOf = (value: Sql): Sql => sql`(case jsonb_typeof(${value})
    when 'object' then case when ${value} -> 'm' is null then coalesce(${value} -> 'o', ${value} -> 'x', ${value} -> 'u', ${value} -> 'd') else ${value} -> 'k' end
    when 'boolean' then to_jsonb(${value} #>> '{}')
    when 'array' then null
    else ${value} end)`;

/** NULL for lists, except those of an address or a label. */
export const memberOfFact = (value: Sql, member: string): Sql => sql`(case jsonb_typeof(${value})
    when 'object' then ${value} -> 'm'
    when 'array' then case when jsonb_array_length(${value}) > 1 and not ${value} @? '$[1 to last].m' then ${value} -> 0 -> 'm' end
    end -> ${member}::text)`;

/** `Fact.t` of the value; NULL if it is not a text. */
export const textOfLeaf = (value: Sql): Sql =>
  sql`(case when jsonb_typeof(${value}) = 'string' or (jsonb_typeof(${value}) = 'object' and ${value} -> 'm' is null) then ${textOf(value)} end)`;

function textOf(fact: Sql): Sql {
  return sql`(case jsonb_typeof(${fact}) when 'number' then null
    when 'object' then coalesce(${fact} ->> 't', ${fact} ->> 'f', ${fact} ->> 'd', ${fact} ->> 'u', ${fact} ->> 'x')
    else lower((${fact} #>> '{}') collate "C") end)`;
}
