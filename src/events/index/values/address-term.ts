import { isWellFormedText, placeIdIn } from '../../../kernel/domain/text.js';
import { isObject } from '../../../kernel/input/checks.js';
import { jsonValue } from '../../../kernel/input/json.js';

/** The JSON that an equal address must match (S-10). */
export interface AddressTerm {
  readonly country: string;
  /** Or below; absent: anywhere in the country. */
  readonly administrativeArea: string | undefined;
  readonly streetDetails: readonly (readonly [key: string, value: string])[];
}

/** A JSON object with at least a `country`, as in declarations. Undefined for any other text. */
export function parseAddressTerm(term: string): AddressTerm | undefined {
  // Most terms are not JSON.
  const value = term.trimStart().startsWith('{') ? jsonValue(term) : undefined;
  if (!isObject(value)) return undefined;
  const { country, administrativeArea, streetLevelDetails = {} } = withoutNulls(value);
  if (!isText(country) || !(administrativeArea === undefined || isText(administrativeArea))) return undefined;
  if (!isObject(streetLevelDetails)) return undefined;
  const streetDetails = Object.entries(withoutNulls(streetLevelDetails));
  if (!streetDetails.every(isTextEntry)) return undefined;
  return {
    country,
    administrativeArea: administrativeArea === undefined ? undefined : placeIdIn(administrativeArea),
    streetDetails,
  };
}

const withoutNulls = (object: object): Partial<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** JSON can contain text that Postgres cannot store. */
const isText = (value: unknown): value is string => typeof value === 'string' && isWellFormedText(value);

const isTextEntry = (entry: [string, unknown]): entry is [string, string] => isText(entry[0]) && isText(entry[1]);
