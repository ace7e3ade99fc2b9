import { SEARCHED_FIELDS } from '../../src/kernel/domain/searched-fields.js';
import type {
  Clause,
  Condition,
  DataInput,
  DataMember,
  DateCondition,
  DateTerm,
  SearchRequest,
  SortKey,
  TextField,
} from '../../src/kernel/domain/search-request.js';
import { absurd } from '../../src/kernel/errors/service-error.js';

/** The JSON body that asks for the search: the parser, turned round. */
export const toSearchBody = ({ query, limit, offset, sort }: SearchRequest): unknown => ({
  query: toClause(query),
  limit,
  offset,
  sort: sort.map(toSortItem),
});

function toClause(clause: Clause): unknown {
  if (clause.kind !== 'expression') return { type: clause.kind, clauses: clause.clauses.map(toClause) };
  return Object.fromEntries(clause.conditions.map(toEntry));
}

function toEntry(condition: Condition): [string, unknown] {
  switch (condition.on) {
    case 'text':
      return [condition.field, toTextCondition(condition.field, condition.terms)];
    case 'instant':
      return [condition.field, toDateCondition(condition.condition)];
    case 'location':
      return [
        condition.field,
        condition.match === 'within'
          ? { type: 'within', location: condition.location }
          : { type: 'exact', term: condition.location },
      ];
    case 'flags': {
      const { anyOf, noneOf, allOf } = condition;
      return ['flags', { anyOf, noneOf, allOf }];
    }
    case 'data':
      return ['data', toMap(condition.members)];
    case 'anyField':
      return ['data', condition.condition];
    default:
      return absurd(condition);
  }
}

function toTextCondition(field: TextField, terms: readonly string[]): unknown {
  const { accepts } = SEARCHED_FIELDS[field].search;
  const [term] = terms;
  if (accepts === 'plain') return term;
  const takesOne = accepts.some((type) => type === 'exact');
  return takesOne && terms.length === 1 ? { type: 'exact', term } : { type: 'anyOf', terms };
}

function toDateCondition(condition: DateCondition): unknown {
  switch (condition.type) {
    case 'exact':
      return { type: 'exact', term: toText(condition.term) };
    case 'range':
      return { type: 'range', gte: toText(condition.gte), lte: toText(condition.lte) };
    case 'timePeriod':
      return { type: 'timePeriod', term: `last${condition.days}Days` };
    default:
      return absurd(condition);
  }
}

function toText(term: DateTerm): string {
  if (term.kind === 'date') return term.date;
  return term.precision === 'second' ? term.instant.replace('.000Z', 'Z') : term.instant;
}

const toMap = (members: readonly DataMember[]): unknown =>
  Object.fromEntries(members.map(({ key, input }) => [key, toInput(input)]));

const toInput = (input: DataInput): unknown => (input.type === 'map' ? toMap(input.members) : input);

const toSortItem = ({ field, direction }: SortKey): unknown => ({
  field: field.on === 'record' ? field.name : `declaration.${field.fieldId}`,
  direction,
});
