import { RECORD_SORT_FIELDS, type SortField, type SortKey } from '../../../kernel/domain/search-request.js';
import type { Input } from '../../../kernel/input/input.js';
import { MAX_SORT_KEYS } from './schemas.js';
import { fieldIdFault } from './field-id-fault.js';

const DECLARATION = 'declaration.';

const ALLOWED = [
  ...RECORD_SORT_FIELDS.filter((name) => !name.includes('.')),
  'legalStatuses.DECLARED.<field>',
  'legalStatuses.REGISTERED.<field>',
  'declaration.<field id>',
  'declaration.<field id>.<member>',
].join(', ');

const UNORDERED =
  'holds values without an order: name a field with one, or a member, `declaration.<field id>.<member>`';

/** First key first; absent means empty (S-12). */
export function parseSort(input: Input): readonly SortKey[] | null {
  return input.isAbsent ? [] : input.listOf('sort keys', MAX_SORT_KEYS, parseSortKey);
}

function parseSortKey(input: Input): SortKey | null {
  if (!input.isObject) return input.refuse('must be an object with `field`');
  input.refuseKeysBut(['field', 'direction']);
  const field = parseSortField(input.member('field'));
  const given = input.member('direction');
  const direction = given.isAbsent ? 'asc' : given.oneOf(['asc', 'desc']);
  return field === null || direction === null ? null : { field, direction };
}

function parseSortField(input: Input): SortField | null {
  const { value } = input;
  const name = RECORD_SORT_FIELDS.find((candidate) => candidate === value);
  if (name !== undefined) return { on: 'record', name };
  if (typeof value === 'string' && value.startsWith(DECLARATION)) {
    const fieldId = dotted(value.slice(DECLARATION.length));
    const fault = fieldIdFault(fieldId);
    if (fault !== undefined) return input.refuse(fault);
    return input.notes.unorderedFields?.has(fieldId) === true
      ? input.refuse(UNORDERED)
      : { on: 'declaration', fieldId };
  }
  return input.refuse(`must be a scalar field of a record: ${ALLOWED}`);
}

/** Upstream spells field ids with four underscores for each dot (S-12). */
const dotted = (fieldId: string): string => (fieldId.includes('.') ? fieldId : fieldId.replaceAll('____', '.'));
