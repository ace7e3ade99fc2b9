import type { Declaration, DeclarationValue, EventRecord } from '../../../src/kernel/domain/event-record.js';
import type { SortField, SortKey } from '../../../src/kernel/domain/search-request.js';
import { compareCodePoints } from './compare-code-points.js';
import { wordsInOrder } from './words.js';

/** Records in the order of S-12: as asked, else by relevance, then newest first; missing values last; then by id. */
export const inOrder = (
  records: readonly EventRecord[],
  sort: readonly SortKey[],
  edits: (record: EventRecord) => number,
  isHidden: (record: EventRecord, field: SortField) => boolean = () => false,
): readonly EventRecord[] =>
  records.toSorted((left, right) => {
    const relevance = sort.length > 0 ? 0 : edits(left) - edits(right);
    if (relevance !== 0) return relevance;
    const keys: readonly SortKey[] =
      sort.length > 0 ? sort : [{ field: { on: 'record', name: 'updatedAt' }, direction: 'desc' }];
    for (const { field, direction } of keys) {
      const [one, other] = [left, right].map((record) =>
        isHidden(record, field) ? undefined : valueOf(record, field),
      );
      const order = compareValues(one, other, direction === 'asc' ? 1 : -1);
      if (order !== 0) return order;
    }
    return compareCodePoints(left.id, right.id);
  });

type Sortable = string | number | undefined;

function compareValues(left: Sortable, right: Sortable, sign: 1 | -1): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
  if (typeof left === 'string' && typeof right === 'string') return sign * compareCodePoints(left, right);
  return typeof left === 'number' ? -sign : sign;
}

function valueOf(record: EventRecord, field: SortField): Sortable {
  if (field.on === 'declaration') {
    return sortable(named(record.declaration, field.fieldId));
  }
  // Names of fields are paths, and instants and dates of the record are in order as text.
  const value = field.name.split('.').reduce<unknown>(memberOf, record);
  return typeof value === 'string' ? value : undefined;
}

/** The field of that name, else the member of the field that the name begins with. */
function named(declaration: Declaration, id: string): DeclarationValue | undefined {
  if (Object.hasOwn(declaration, id)) return declaration[id];
  const [member = '', ...before] = id.split('.').reverse();
  const value: unknown = declaration[before.reverse().join('.')];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, member) ? (value as Declaration)[member] : undefined;
}

const PARTS = ['surname', 'firstname', 'middlename'];
const [END_OF_PART, BETWEEN_WORDS] = ['\u0001', '\u0002'];

function sortable(value: DeclarationValue | undefined): Sortable {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return value;
  const members = new Map<string, unknown>(Object.entries(value));
  const isName = [...members].every(([key, part]) => PARTS.includes(key) && typeof part === 'string');
  if (Array.isArray(value) || !isName) return undefined;
  const parts = PARTS.map((key) => {
    const part = members.get(key);
    return wordsInOrder(typeof part === 'string' ? part : '').join(BETWEEN_WORDS);
  });
  return parts.join('') === '' ? undefined : parts.join(END_OF_PART);
}

const memberOf = (object: unknown, key: string): unknown =>
  typeof object === 'object' && object !== null && key in object ? (object as Record<string, unknown>)[key] : undefined;
