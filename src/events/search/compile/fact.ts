import type { DataInput } from '../../../domain/search-request.js';
import { absurd } from '../../../errors/absurd.js';
import type { Sql } from '../../../sql/sql.js';
import { all, any, sql } from '../../../sql/sql.js';
import type { AddressTerm } from '../address-term.js';
import { ignoringCase } from '../fold.js';
import { memberOf } from '../data-path.js';
import type { FuzzyScope } from './fuzzy.js';
import { compileFuzzy } from './fuzzy.js';
import type { SearchContext } from './search-context.js';
import {
  AREA,
  DATE,
  END,
  factsOfValue,
  MEMBERS,
  NAME_WORDS,
  NUMBER,
  PLACE,
  SPELLED,
  START,
  TEXT,
  textOfLeaf,
} from './stored-fact.js';
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
      return sql`${PLACE} = any(${context.below(input.location)}::text[])`;
    case 'map':
      // Inside `from`, `fact` is still the one outside.
      return all(
        input.members.map(({ key, input: inner }) => {
          const isMet = compileFact(inner, within(scope, key), context);
          return sql`exists (select from ${factsOfValue(sql`${MEMBERS} -> ${key}::text`)} where ${isMet})`;
        }),
      );
    case 'fuzzy':
      return compileFuzzy(input.term, scope, context);
    default:
      return absurd(input);
  }
}

/** The scope of a map's member. A map stands at a path: no condition on every field goes in. */
export function within(scope: FuzzyScope, key: string): FuzzyScope {
  if (scope.kind === 'everyField') return scope;
  const field = scope.kind === 'field' ? scope.path : scope.field;
  return { kind: 'inside', field, path: memberOf(scope.path, key) };
}

function compileTerms({ texts, numbers, names, dates, addresses }: ValueTerms, context: SearchContext): Sql {
  const parts = [sql`${TEXT} = any(${texts}::text[])`];
  if (numbers.length > 0) parts.push(sql`${NUMBER} = any(${numbers}::numeric[])`);
  for (const words of names) parts.push(sql`${NAME_WORDS} @> ${words}::text[]`);
  if (dates.length > 0) {
    parts.push(
      sql`exists (select from unnest(${dates}::text[]) as day where ${START} <= day collate "C" and ${END} > day collate "C")`,
    );
  }
  return any([...parts, ...addresses.map((address) => compileAddress(address, context))]);
}

function compileAddress({ country, administrativeArea, streetDetails }: AddressTerm, { below }: SearchContext): Sql {
  const parts = [sql`fact ->> 'c' = ${ignoringCase(country)}`];
  if (administrativeArea !== undefined) parts.push(sql`${AREA} = any(${below(administrativeArea)}::text[])`);
  for (const [key, value] of streetDetails) {
    const detail = sql`${MEMBERS} -> 'streetLevelDetails' -> 'm' -> ${key}::text`;
    parts.push(sql`${textOfLeaf(detail)} = ${ignoringCase(value)}`);
  }
  return all(parts);
}

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
