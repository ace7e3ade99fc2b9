import { isNoRealDate } from '../../../kernel/domain/calendar.js';
import type { Condition, DataInput, DataMember, ValueCondition } from '../../../kernel/domain/search-request.js';
import { cleanText, placeIdIn } from '../../../kernel/domain/text.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { given, type Input } from '../../../kernel/input/input.js';
import { isLongerThan } from '../../../kernel/input/checks.js';
import { quoted } from '../../../kernel/errors/faults.js';
import { MAX_DATA_KEYS, MAX_DATA_LEVELS, MAX_FUZZY_CODE_POINTS } from './schemas.js';
import { conditionType } from './condition-type.js';
import { fieldIdFault } from './field-id-fault.js';
import { readTerms } from './parse-text-condition.js';

const VALUE_CONDITIONS = ['fuzzy', 'exact', 'range', 'within', 'anyOf'] as const;

/** A map of fields, or one condition on any field (S-10). */
export const dataCondition = (input: Input): Condition | null =>
  given(parseDataInput(input, 1), (parsed) => {
    if (parsed.type === 'map') return { on: 'data', members: parsed.members };
    return parsed.type === 'range'
      ? input.refuse('must name the field of a range: `{"<field id>": {"type": "range", …}}`')
      : { on: 'anyField', condition: parsed };
  });

/** A condition by its `type`, or else a map, whose field `type` has an object as value. */
function parseDataInput(input: Input, level: number, isDate = false): DataInput | null {
  if (!input.isObject) {
    return input.refuse(`must be a map of fields, or a condition whose \`type\` is one of ${quoted(VALUE_CONDITIONS)}`);
  }
  const type = input.member('type');
  return type.isAbsent || type.isObject ? parseMap(input, level) : parseValueCondition(input, isDate);
}

/** An empty map is refused: a search must not silently lose a condition. */
function parseMap(input: Input, level: number): DataInput | null {
  if (level > MAX_DATA_LEVELS) {
    return input.refuse(`maps in \`data\` must be at most ${MAX_DATA_LEVELS} levels deep, \`data\` being the first`);
  }
  const { keys, notes } = input;
  if (keys.length === 0) return input.refuse('must name at least one field');
  const room = Math.max(0, MAX_DATA_KEYS - notes.dataKeys);
  notes.dataKeys += keys.length;
  const members = keys
    .slice(0, room)
    .map((key) => parseMember(input.member(key), key, level))
    .filter((member) => member !== null);
  return { type: 'map', members };
}

function parseMember(input: Input, key: string, level: number): DataMember | null {
  const fault = fieldIdFault(key);
  if (fault !== undefined) return input.refuse(fault);
  const isDate = level === 1 && input.notes.dateFields?.has(key) === true;
  return given(parseDataInput(input, level + 1, isDate), (member) => ({ key, input: member }));
}

function parseValueCondition(input: Input, isDate: boolean): ValueCondition | null {
  const type = conditionType(input, VALUE_CONDITIONS);
  switch (type) {
    case 'fuzzy':
      return given(readFuzzyTerm(input.member('term')), (term) => ({ type, term }));
    case 'exact':
      return given(readText(input.member('term'), isDate), (term) => ({ type, term }));
    case 'anyOf':
      return given(
        readTerms(input, (item) => readText(item, isDate)),
        (terms) => ({ type, terms }),
      );
    case 'range': {
      const [gte, lte] = [readText(input.member('gte'), true), readText(input.member('lte'), true)];
      return gte === null || lte === null ? null : { type, gte, lte };
    }
    case 'within':
      return given(input.member('location').text(), (location) => ({ type, location: placeIdIn(location) }));
    case null:
      return null;
    default:
      return absurd(type);
  }
}

/** A date that does not exist would silently match nothing (S-10). */
function readText(input: Input, isDate: boolean): string | null {
  const text = input.text();
  if (text === null || !isDate || input.notes.dateFields === undefined || !isNoRealDate(cleanText(text))) return text;
  return input.refuse('must be a real date such as `2026-01-31`');
}

function readFuzzyTerm(input: Input): string | null {
  const term = input.text();
  if (term === null || !isLongerThan(term, MAX_FUZZY_CODE_POINTS)) return term;
  return input.refuse(`must have at most ${MAX_FUZZY_CODE_POINTS} code points in a fuzzy condition`);
}
