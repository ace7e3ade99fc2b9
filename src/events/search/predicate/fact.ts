import type { DataInput } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { all, any, type Sql, sql } from '../../../kernel/sql/sql.js';
import type { AddressTerm } from '../../index/values/address-term.js';
import { memberOf } from '../../index/values/data-path.js';
import { ignoringCase } from '../../index/values/fold.js';
import { compileFuzzy, type FuzzyScope, needsNames } from './fuzzy.js';
import type { SearchContext } from './search-context.js';
import { readValueRange, type ValueRange, type ValueTerms, valueTermsOf } from './value-terms.js';

export const DOCUMENT = sql`d.body`;

/** The rows `fact`: a single fact, or each of a list. */
export const factsOfValue = (value: Sql): Sql => sql`jsonb_path_query(${value}, '$[*]') as f(fact)`;

const MEMBERS = sql`fact -> 'm'`;

/** The rows `fact` of a member of the outer `fact`; with `parent.is_name`, if `tellsNames`. */
export const factsOfMember = (key: string, tellsNames: boolean): Sql =>
  sql`${tellsNames ? sql`(select ${IS_NAME} as is_name offset 0) as parent, ` : sql``}${factsOfValue(sql`${MEMBERS} -> ${key}::text`)}`;

// Over `fact` (see `StoredFact`); NULL where it has no such value.

const PLAIN = sql`(fact #>> '{}') collate "C"`;

/** exact: `Fact.t`. */
const TEXT = textOf(sql`fact`);

/** range: `Fact.x`. */
const SPELLED = sql`(case jsonb_typeof(fact) when 'string' then fact #>> '{}' else coalesce(fact ->> 'x', fact ->> 'u') end) collate "C"`;

/** exact, range: `Fact.n`. */
const NUMBER = sql`(case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric`;

/** exact: `Fact.w`, as an array. */
const NAME_WORDS = sql`string_to_array(fact ->> 'w', ' ')`;

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
const DATE = sql`(fact ->> 'd') collate "C"`;

const AREA = sql`coalesce(fact ->> 'a', case ${MEMBERS} ->> 'addressType' when 'DOMESTIC' then ${MEMBERS} -> 'administrativeArea' ->> 'u' end)`;

/** within: `Fact.a`. */
const PLACE = sql`(case when fact ->> 'c' is null then fact ->> 'u' else ${AREA} end)`;

/** The first day of `Fact.r`. */
const START = sql`fact -> 'r' ->> 0`;

/** The day after its last. */
const END = sql`fact -> 'r' ->> 1`;

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
const textOfLeaf = (value: Sql): Sql =>
  sql`(case when jsonb_typeof(${value}) = 'string' or (jsonb_typeof(${value}) = 'object' and ${value} -> 'm' is null) then ${textOf(value)} end)`;

function textOf(fact: Sql): Sql {
  return sql`(case jsonb_typeof(${fact}) when 'number' then null
    when 'object' then coalesce(${fact} ->> 't', ${fact} ->> 'f', ${fact} ->> 'd', ${fact} ->> 'u', ${fact} ->> 'x')
    else lower((${fact} #>> '{}') collate "C") end)`;
}

/** Over the column `fact` (see `Fact`). A missing member makes it NULL, which `exists` counts as false. */
export function compileFact(input: DataInput, scope: FuzzyScope, context: SearchContext): Sql {
  switch (input.type) {
    case 'exact':
    case 'anyOf':
      return compileTerms(valueTermsOf(input), context);
    case 'range':
      return compileRange(readValueRange(input.gte, input.lte));
    case 'within':
      return sql`${PLACE} = any(${context.below(input.location)}::text[])`;
    case 'map':
      return all(
        input.members.map(({ key, input: inner }) => {
          const at = within(scope, key);
          const isMet = compileFact(inner, at, context);
          return sql`exists (select from ${factsOfMember(key, needsNames(inner, at, context))} where ${isMet})`;
        }),
      );
    case 'fuzzy':
      return compileFuzzy(input.term, scope, context);
    default:
      return absurd(input);
  }
}

/** A map cannot contain a condition on any field. */
export function within(scope: FuzzyScope, key: string): FuzzyScope {
  if (scope.kind === 'everyField') return scope;
  const field = scope.kind === 'field' ? scope.path : scope.field;
  return { kind: 'inside', field, path: memberOf(scope.path, key) };
}

/** More are sent as one list, to shorten the statement. */
const FEW = 4;

function compileTerms({ texts, numbers, names, dates, addresses }: ValueTerms, context: SearchContext): Sql {
  const parts = [sql`${TEXT} = any(${texts}::text[])`];
  if (numbers.length > 0) parts.push(sql`${NUMBER} = any(${numbers}::numeric[])`);
  if (names.length > FEW) parts.push(...compileNames(names));
  else for (const words of names) parts.push(sql`${NAME_WORDS} @> ${words}::text[]`);
  if (dates.length > 0) {
    parts.push(
      sql`exists (select from unnest(${dates}::text[]) as day where ${START} <= day collate "C" and ${END} > day collate "C")`,
    );
  }
  if (addresses.length > FEW) parts.push(compileAddresses(addresses, context));
  else parts.push(...addresses.map((address) => compileAddress(address, context)));
  return any(parts);
}

/** The name has all words of one of them. */
function compileNames(names: readonly (readonly string[])[]): readonly Sql[] {
  const single = names.filter(({ length }) => length === 1).flat();
  const longer = names.filter(({ length }) => length > 1).map((words) => words.join(' '));
  return [
    ...(single.length === 0 ? [] : [sql`${NAME_WORDS} && ${single}::text[]`]),
    ...(longer.length === 0
      ? []
      : [
          sql`(fact ? 'w' and exists (select from (select ${NAME_WORDS} as words offset 0) as name, unnest(${longer}::text[]) as wanted
            where name.words @> string_to_array(wanted, ' ')))`,
        ]),
  ];
}

function compileAddress({ country, administrativeArea, streetDetails }: AddressTerm, { below }: SearchContext): Sql {
  const parts = [sql`fact ->> 'c' = ${ignoringCase(country)}`];
  if (administrativeArea !== undefined) parts.push(sql`${AREA} = any(${below(administrativeArea)}::text[])`);
  for (const [key, value] of streetDetails.slice(0, FEW)) {
    parts.push(sql`${textOfLeaf(detailOf(sql`${key}::text`))} = ${ignoringCase(value)}`);
  }
  if (streetDetails.length > FEW) parts.push(hasDetails(sql`${JSON.stringify(detailsOf(streetDetails))}::jsonb`));
  return all(parts);
}

/** Sent as a list of requirements, and for each named area, the places in it. */
function compileAddresses(addresses: readonly AddressTerm[], { below }: SearchContext): Sql {
  const areas = [...new Set(addresses.flatMap(({ administrativeArea = [] }) => administrativeArea))];
  const wanted = addresses.map(({ country, administrativeArea, streetDetails }) => ({
    c: ignoringCase(country),
    ...(administrativeArea !== undefined && { a: areas.indexOf(administrativeArea) }),
    d: detailsOf(streetDetails),
  }));
  const places = areas.flatMap((area) => below(area));
  const areaOfPlaces = areas.flatMap((area, at) => below(area).map(() => at));
  return sql`(fact ? 'c' and exists (select from jsonb_array_elements(${JSON.stringify(wanted)}::jsonb) as address
    where fact ->> 'c' = address ->> 'c'
      and (not address ? 'a' or (address ->> 'a')::int in (
        select area from unnest(${places}::text[], ${areaOfPlaces}::int[]) as of_area (place, area) where place = ${AREA}))
      and ${hasDetails(sql`address -> 'd'`)}))`;
}

const hasDetails = (details: Sql): Sql =>
  sql`not exists (select from jsonb_each_text(${details}) as detail (key, value)
    where ${textOfLeaf(detailOf(sql`detail.key`))} is distinct from detail.value)`;

const detailOf = (key: Sql): Sql => sql`${MEMBERS} -> 'streetLevelDetails' -> 'm' -> ${key}`;

const detailsOf = (details: AddressTerm['streetDetails']): Readonly<Record<string, string>> =>
  Object.fromEntries(details.map(([key, value]) => [key, ignoringCase(value)]));

function compileRange({ text, number, date }: ValueRange): Sql {
  const parts = [sql`${SPELLED} between ${text.gte} and ${text.lte}`];
  if (number !== undefined) parts.push(sql`${NUMBER} between ${number.gte} and ${number.lte}`);
  if (date !== undefined) {
    parts.push(
      sql`${DATE} between ${date.gte} and ${date.lte}`,
      sql`(${START} <= ${date.lte} collate "C" and ${END} > ${date.gte} collate "C")`,
    );
  }
  return any(parts);
}
