import type { DataInput } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { all, any, type Sql, sql } from '../../../kernel/sql/sql.js';
import type { AddressTerm } from '../../index/values/address-term.js';
import { memberOf } from '../../index/values/data-path.js';
import { ignoringCase } from '../../index/values/fold.js';
import { compileFuzzy, type FuzzyScope, needsNames } from './fuzzy.js';
import type { SearchContext } from './search-context.js';
import { readValueRange, type ValueRange, type ValueTerms, valueTermsOf } from './value-terms.js';
import {
  AREA,
  DATE,
  END,
  factsOfMember,
  MEMBERS,
  NAME_WORDS,
  NUMBER,
  PLACE,
  SPELLED,
  START,
  TEXT,
  textOfLeaf,
} from './stored-fact.js';

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
