import { EVENT_STATUSES } from '../../domain/event-status.js';
import type { Condition, TextField } from '../../domain/search-request.js';
import { USER_TYPES } from '../../domain/user-type.js';
import type { Input } from '../../input/input.js';
import { given } from '../../input/input.js';
import { MAX_TERMS } from './bounds.js';
import { conditionType } from './condition-type.js';

type Parse = (input: Input) => Condition | null;

const oneTerm = (field: TextField, term: string | null): Condition | null =>
  given(term, (known) => ({ on: 'text', field, terms: [known] }));

/** `id` and `eventType`: the text itself. */
export const plainText =
  (field: TextField): Parse =>
  (input) =>
    oneTerm(field, input.text());

/** `{type: exact, term}`, as a list of one term. */
export const exactText =
  (field: TextField): Parse =>
  (input) =>
    given(conditionType(input, ['exact']), () => oneTerm(field, input.member('term').text()));

/** `{type: anyOf, terms}`. */
export const anyOfTexts =
  (field: TextField): Parse =>
  (input) =>
    given(conditionType(input, ['anyOf']), () =>
      given(readTerms(input), (terms) => ({ on: 'text' as const, field, terms })),
    );

/** `{type: exact, term}` with a user type. */
export const exactUserType: Parse = (input) =>
  given(conditionType(input, ['exact']), () => oneTerm('createdByUserType', input.member('term').oneOf(USER_TYPES)));

/** `{type: exact | anyOf}` with statuses. */
export const statusCondition: Parse = (input) =>
  given(conditionType(input, ['anyOf', 'exact']), (type) =>
    type === 'exact'
      ? oneTerm('status', input.member('term').oneOf(EVENT_STATUSES))
      : given(
          input.member('terms').listOf('statuses', MAX_TERMS, (item) => item.oneOf(EVENT_STATUSES)),
          (terms) => ({ on: 'text' as const, field: 'status' as const, terms }),
        ),
  );

/** The `terms` of an anyOf condition; an empty list is one that matches nothing (S-6). */
export const readTerms = (input: Input): readonly string[] | null =>
  input.member('terms').listOf('strings', MAX_TERMS, (item) => item.text());
