import type { DataInput } from '../../../domain/search-request.js';
import { absurd } from '../../../errors/absurd.js';
import type { Sql } from '../../../sql/sql.js';
import { all, any, sql } from '../../../sql/sql.js';
import type { AddressTerm } from '../address-term.js';
import { ignoringCase } from '../fold.js';
import { memberOf } from '../terms.js';
import type { FuzzyScope } from './fuzzy.js';
import { compileFuzzy } from './fuzzy.js';
import type { SearchContext } from './search-context.js';
import type { ValueRange } from './value-range.js';
import { readValueRange } from './value-range.js';
import type { ValueTerms } from './value-terms.js';
import { readValueTerms } from './value-terms.js';

/**
 * The condition, or the map, on one `fact` (see `Fact`) at `scope`, an expression over the column of that name. A member that the
 * fact does not have makes it NULL, which `exists` counts as false.
 */
export function compileFact(input: DataInput, scope: FuzzyScope, context: SearchContext): Sql {
  switch (input.type) {
    case 'exact':
      return compileTerms(readValueTerms([input.term]), context);
    case 'anyOf':
      return compileTerms(readValueTerms(input.terms), context);
    case 'range':
      return compileRange(readValueRange(input.gte, input.lte));
    case 'within':
      return sql`fact ->> 'a' = any(${context.below(input.location)}::text[])`;
    case 'map':
      // Inside `from`, `fact` is still the one outside.
      return all([
        sql`fact ? 'm'`,
        ...input.members.map(
          ({ key, input: inner }) =>
            sql`exists (select from jsonb_array_elements(fact -> 'm' -> ${key}::text) as f(fact) where ${compileFact(inner, within(scope, key), context)})`,
        ),
      ]);
    case 'fuzzy':
      return compileFuzzy(input.term, scope, context.dictionary);
    default:
      return absurd(input);
  }
}

/** The scope of a map's member. A map stands at a path: no condition on every field goes in. */
export const within = (scope: FuzzyScope, key: string): FuzzyScope =>
  scope === 'everyField' ? scope : memberOf(scope, key);

function compileTerms({ texts, numbers, names, dates, addresses }: ValueTerms, context: SearchContext): Sql {
  const parts = [sql`fact ->> 't' = any(${texts}::text[])`];
  if (numbers.length > 0) parts.push(sql`(fact ->> 'n')::numeric = any(${numbers}::numeric[])`);
  if (names.length > 0) parts.push(sql`fact -> 'w' @> any(${names.map((words) => JSON.stringify(words))}::jsonb[])`);
  if (dates.length > 0) {
    parts.push(
      sql`exists (select from unnest(${dates}::text[]) as day where fact -> 'r' ->> 0 <= day collate "C" and fact -> 'r' ->> 1 > day collate "C")`,
    );
  }
  return any([...parts, ...compileAddresses(addresses, context)]);
}

/** Addresses without an area together, those with one by area. */
function compileAddresses(addresses: readonly AddressTerm[], { below }: SearchContext): readonly Sql[] {
  const shapesByArea = new Map<string | undefined, string[]>();
  for (const address of addresses) {
    const { administrativeArea } = address;
    shapesByArea.set(administrativeArea, [...(shapesByArea.get(administrativeArea) ?? []), shapeOf(address)]);
  }
  return [...shapesByArea].map(([area, shapes]) => {
    const isShaped = sql`fact @> any(${shapes}::jsonb[])`;
    return area === undefined ? isShaped : sql`(fact ->> 'a' = any(${below(area)}::text[]) and ${isShaped})`;
  });
}

/** What the fact of an equal address contains, as JSON. */
function shapeOf({ country, streetDetails }: AddressTerm): string {
  const details = Object.fromEntries(streetDetails.map(([key, value]) => [key, [{ t: ignoringCase(value) }]]));
  const members = streetDetails.length === 0 ? {} : { m: { streetLevelDetails: [{ m: details }] } };
  return JSON.stringify({ c: ignoringCase(country), ...members });
}

function compileRange({ text, number, date }: ValueRange): Sql {
  const parts = [sql`(fact ->> 'x') collate "C" between ${text.gte} and ${text.lte}`];
  if (number !== undefined) parts.push(sql`(fact ->> 'n')::numeric between ${number.gte} and ${number.lte}`);
  if (date !== undefined) {
    parts.push(
      sql`(fact ->> 'd') collate "C" between ${date.gte} and ${date.lte}`,
      sql`(fact -> 'r' ->> 0 <= ${date.lte} collate "C" and fact -> 'r' ->> 1 > ${date.gte} collate "C")`,
    );
  }
  return any(parts);
}
