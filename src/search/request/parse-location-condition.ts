import type { Condition, LocationField } from '../../domain/search-request.js';
import type { Input } from '../../input/input.js';
import { given } from '../../input/input.js';
import { conditionType } from './condition-type.js';

/** `within` or `exact`; an unknown location is no fault, it matches nothing (S-9). */
export const locationCondition =
  (field: LocationField) =>
  (input: Input): Condition | null =>
    given(conditionType(input, ['within', 'exact']), (match) => locationOf(input, field, match));

/** `within`, or null, which sets no condition (S-3). */
export const withinOrNull =
  (field: LocationField) =>
  (input: Input): Condition | null =>
    input.value === null ? null : given(conditionType(input, ['within']), (match) => locationOf(input, field, match));

function locationOf(input: Input, field: LocationField, match: 'within' | 'exact'): Condition | null {
  const location = input.member(match === 'within' ? 'location' : 'term').text();
  return given(location, (known) => ({ on: 'location', field, match, location: known }));
}
