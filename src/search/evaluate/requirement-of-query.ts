import type { RecordOptions, RowFilter } from '../../access/caller.js';
import { deletionKeys, MOST_DELETION_KEYS } from '../../derived/near-words/deletion-keys.js';
import { allowedEdits, codePointsOf } from '../../derived/near-words/optimal-string-alignment.js';
import { ignoringCase, wordsOf } from '../../derived/values/fold.js';
import { AUTHOR_OPTIONS } from '../../domain/scope.js';
import type { Clause, Condition, DataInput, DataMember } from '../../domain/search-request.js';
import { absurd } from '../../errors/absurd.js';
import { readValueTerms } from '../predicate/data/value-terms.js';
import type { FlagsWanted } from '../predicate/metadata/flags.js';
import { isUnreachable } from '../predicate/row-filter.js';
import type { Aspect } from './aspects.js';
import {
  ANY_FIELD,
  ASPECT_OF_FLAGS,
  aspectOfArea,
  aspectOfAuthor,
  aspectOfCountry,
  aspectOfDateRange,
  aspectOfLocation,
  aspectOfPlace,
  aspectOfText,
  aspectOfValue,
  aspectOfWords,
  DECLARATION,
  markOf,
  markOfKey,
  pathTo,
} from './aspects.js';
import type { Requirement } from './requirement.js';
import { eachRequired, someRequired, UNMEETABLE } from './requirement.js';

/**
 * What a record must have for `testOfQuery` to be true; undefined if that is not known. `marksOfCandidate` yields what
 * it has.
 */
export function requirementOfQuery(clause: Clause): Requirement | undefined {
  if (clause.kind === 'expression') return eachRequired(clause.conditions.map(ofCondition));
  const parts = clause.clauses.map(requirementOfQuery);
  return clause.kind === 'and' ? eachRequired(parts) : someRequired(parts);
}

/** The same for `testOfRowFilter`. */
export const requirementOfRowFilter = (rowFilter: RowFilter): Requirement | undefined =>
  rowFilter === 'everything' ? undefined : someRequired(rowFilter.map(ofOptions));

function ofOptions(options: RecordOptions): Requirement | undefined {
  if (isUnreachable(options)) return UNMEETABLE;
  return eachRequired([
    options.event && oneOf(aspectOfText('eventType'), options.event),
    options.status && oneOf(aspectOfText('status'), options.status),
    options.flags && ofFlags(options.flags),
    ...AUTHOR_OPTIONS.map((how) => options[how] && oneOf(aspectOfAuthor(how), [options[how].subject])),
  ]);
}

function ofCondition(condition: Condition): Requirement | undefined {
  switch (condition.on) {
    case 'text':
      return oneOf(aspectOfText(condition.field), condition.terms);
    case 'instant':
      return undefined;
    case 'location': {
      const { field, match, location } = condition;
      return oneOf(match === 'exact' ? aspectOfPlace(field) : aspectOfArea(field), [location]);
    }
    case 'flags':
      return ofFlags(condition);
    case 'data':
      return ofMembers(condition.members, DECLARATION);
    case 'anyField':
      return ofValue(condition.condition, ANY_FIELD);
    default:
      return absurd(condition);
  }
}

const ofFlags = ({ anyOf: some, allOf: every = [] }: FlagsWanted): Requirement | undefined =>
  eachRequired([some && oneOf(ASPECT_OF_FLAGS, some), ...every.map((flag) => oneOf(ASPECT_OF_FLAGS, [flag]))]);

const ofMembers = (members: readonly DataMember[], path: number): Requirement | undefined =>
  eachRequired(members.map(({ key, input }) => ofValue(input, pathTo(path, key))));

function ofValue(input: DataInput, path: number): Requirement | undefined {
  switch (input.type) {
    case 'exact':
      return ofTerms([input.term], path);
    case 'anyOf':
      return ofTerms(input.terms, path);
    case 'range':
      return undefined;
    case 'within':
      return oneOf(aspectOfLocation(path), [input.location]);
    case 'map':
      return ofMembers(input.members, path);
    case 'fuzzy': {
      const words = wordsOf(input.term);
      return words.length === 0 ? UNMEETABLE : eachRequired(words.map((word) => ofNearWord(word, path)));
    }
    default:
      return absurd(input);
  }
}

/** A value can be a text, a number, a name, a date range or an address; it is not known in advance which. */
function ofTerms(terms: readonly string[], path: number): Requirement | undefined {
  const { texts, numbers, names, dates, addresses } = readValueTerms(terms);
  const [value, range, country] = [aspectOfValue(path), aspectOfDateRange(path), aspectOfCountry(path)];
  // Most names are one word, which then equals the text.
  const words = names.flatMap((name) => (name.length === 1 ? name : []));
  const longer = names.filter((name) => name.length > 1);
  return someRequired([
    oneOf(value, [...texts, ...numbers.map(String), ...words]),
    ...longer.map((name) => eachRequired(name.map((word) => oneOf(value, [word])))),
    ...(dates.length > 0 ? [oneOf(range, [''])] : []),
    ...(addresses.length > 0
      ? [
          oneOf(
            country,
            addresses.map((address) => ignoringCase(address.country)),
          ),
        ]
      : []),
  ]);
}

function ofNearWord(word: string, path: number): Requirement {
  const aspect = aspectOfWords(path);
  const points = codePointsOf(word);
  const keys = new Uint32Array(MOST_DELETION_KEYS);
  const count = deletionKeys(points, allowedEdits(points.length), keys);
  return { kind: 'marks', aspect, marks: Array.from(keys.subarray(0, count), (key) => markOfKey(aspect, key)) };
}

const oneOf = (aspect: Aspect, texts: readonly string[]): Requirement => ({
  kind: 'marks',
  aspect,
  marks: texts.map((text) => markOf(aspect, text)),
});
