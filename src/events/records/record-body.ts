import {
  type EventRecord,
  type Fields,
  LEGAL_STATUS_FIELDS,
  type LegalStatuses,
  POTENTIAL_DUPLICATE_FIELDS,
  RECORD_FIELDS,
  REGISTERED_STATUS_FIELDS,
  type ValuesOf,
} from '../../kernel/domain/event-record.js';
import { fieldsInOrder } from './parse/parse-fields.js';

/** Deterministic JSON with every key of the record table in its order, null for missing values (S-13). */
export const recordBody = (record: EventRecord): string =>
  JSON.stringify({
    ...copyOfRecord(record),
    legalStatuses: copyOfLegalStatuses(record.legalStatuses),
    potentialDuplicates: record.potentialDuplicates.map(copyOfDuplicate),
  } satisfies EventRecord);

/** Without parsing. */
export const idOfBody = (body: string): string => body.slice(ID_AT, ID_AT + ID_LENGTH);

const ID_AT = '{"id":"'.length;
const ID_LENGTH = 36;

const copyBy = <T extends Fields>(fields: T) => fieldsInOrder(fields, (key) => (source: ValuesOf<T>) => source[key]);

const copyOfRecord = copyBy(RECORD_FIELDS);
const copyOfDuplicate = copyBy(POTENTIAL_DUPLICATE_FIELDS);
const copyOfDeclared = copyBy(LEGAL_STATUS_FIELDS);
const copyOfRegistered = copyBy(REGISTERED_STATUS_FIELDS);

const copyOfLegalStatuses = ({ DECLARED, REGISTERED }: LegalStatuses): LegalStatuses => ({
  DECLARED: DECLARED && copyOfDeclared(DECLARED),
  REGISTERED: REGISTERED && copyOfRegistered(REGISTERED),
});
