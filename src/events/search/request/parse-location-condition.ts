import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import type { Condition, LocationField } from '../../../kernel/domain/search-request.js';
import { placeIdIn } from '../../../kernel/domain/clean-text.js';
import { given, type Input } from '../../../kernel/input/input.js';
import { conditionType } from './condition-type.js';

/**
 * By the table of columns, `exact` may be allowed, and null, which sets no condition (S-3). An unknown location matches
 * nothing (S-9).
 */
export function locationCondition(field: LocationField): (input: Input) => Condition | null {
  const takesExact = SEARCHED_FIELDS[field].search.accepts === 'within or exact';
  const accepts = takesExact ? (['within', 'exact'] as const) : (['within'] as const);
  return (input) =>
    !takesExact && input.value === null
      ? null
      : given(conditionType<'within' | 'exact'>(input, accepts), (match) => locationOf(input, field, match));
}

function locationOf(input: Input, field: LocationField, match: 'within' | 'exact'): Condition | null {
  const location = input.member(match === 'within' ? 'location' : 'term').text();
  return given(location, (known) => ({ on: 'location', field, match, location: placeIdIn(known) }));
}
