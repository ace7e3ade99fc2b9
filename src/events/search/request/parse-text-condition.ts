import { spellingsOfId, spellingsOfUuid } from '../../../kernel/domain/text.js';
import { EVENT_STATUSES } from '../../../kernel/domain/event-status.js';
import type { ScalarKind } from '../../../kernel/domain/scalar-fields.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import { USER_TYPES } from '../../../kernel/domain/author.js';
import type { Condition, TextField } from '../../../kernel/domain/search-request.js';
import { given, type Input } from '../../../kernel/input/input.js';
import { MAX_TERMS } from './schemas.js';
import { conditionType } from './condition-type.js';

const termsOf = (kind: ScalarKind): { readonly read: (input: Input) => string | null; readonly plural: string } => {
  if (kind === 'status') return { read: (input) => input.oneOf(EVENT_STATUSES), plural: 'statuses' };
  if (kind === 'userType') return { read: (input) => input.oneOf(USER_TYPES), plural: 'user types' };
  return { read: (input) => input.text(), plural: 'strings' };
};

/** A text, `{type: exact, term}` or `{type: anyOf, terms}`, by the table of columns. */
export function textCondition(field: TextField): (input: Input) => Condition | null {
  const { kind, search } = SEARCHED_FIELDS[field];
  const { read, plural } = termsOf(kind);
  const { accepts, values } = search;
  const spellings = values === 'unique' ? spellingsOfId : spellingsOfUuid;
  if (accepts === 'plain')
    return (input) => given(read(input), (term) => ({ on: 'text', field, terms: spellings(term) }));
  return (input) =>
    given(conditionType<'exact' | 'anyOf'>(input, accepts), (type) =>
      given(
        type === 'exact'
          ? given(read(input.member('term')), spellings)
          : input.member('terms').listOf(plural, MAX_TERMS, read),
        (terms) => ({ on: 'text' as const, field, terms: terms.flatMap(spellings) }),
      ),
    );
}

/** An empty list matches nothing (S-6). */
export const readTerms = (input: Input, read: (item: Input) => string | null): readonly string[] | null =>
  input.member('terms').listOf('strings', MAX_TERMS, read);
