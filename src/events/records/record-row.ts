import { KIB } from '../../kernel/domain/bytes.js';
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
import { COLUMN_TYPES, RECORD_COLUMNS, SCALAR_FIELDS, type ScalarName } from '../../kernel/domain/record-columns.js';
import { identifier, type Sql, sql } from '../../kernel/sql/sql.js';
import { atOnce, type Steps } from '../../platform/queue/time-slice.js';
import type { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import { termsOfRecord } from '../index/terms/terms-of-record.js';
import type { Vocabulary } from '../index/terms/vocabulary.js';
import { factLines, storedFacts } from '../index/values/document.js';
import { factsOf } from '../index/values/facts.js';
import { fieldsInOrder } from './parse-fields.js';
import type { Terms } from '../index/terms/terms.js';
import type { ProjectedEvent } from './project-event.js';

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

/** Content of `event_search` and `event_document`, without `seq`. */
export interface RecordRow extends ProjectedEvent {
  /** JSON of `recordBody`. */
  readonly body: string;
  /** `factLines` of the declaration. */
  readonly facts: string;
  /** Distinct hashes of terms as a Postgres array: `{-3,17}`. */
  readonly terms: string;
  /** See `vocabularyInsertions`. */
  readonly vocabulary: Vocabulary;
}

/**
 * Derived characters per statement; the last event may exceed it. Two of the largest declarations, some 400,000
 * characters each, block for 20 to 40 of Q-1's 50 ms.
 */
export const MOST_DERIVED = 512 * KIB;

/** In characters. */
export const sizeOfRow = ({ body, facts, terms }: RecordRow): number => body.length + facts.length + terms.length;

/** `known` vocabulary is not written again. */
export const recordRow = (projected: ProjectedEvent, terms: Terms, known?: KnownVocabulary): RecordRow =>
  atOnce(recordRowSteps(projected, terms, known));

/** As `recordRow`, in steps of at most some milliseconds. */
export function* recordRowSteps(
  { record, notified }: ProjectedEvent,
  under: Terms,
  known?: KnownVocabulary,
): Steps<RecordRow> {
  const facts = factsOf(record.declaration);
  yield;
  const { hashes, vocabulary } = yield* termsOfRecord(record, facts, under, known);
  const terms = `{${hashes.join(',')}}`;
  yield;
  const body = recordBody(record);
  yield;
  return { record, notified, body, facts: factLines(storedFacts(facts)), terms, vocabulary };
}

interface Column {
  readonly name: Sql;
  /** SQL type of the array sent. */
  readonly sent: Sql;
  readonly value: (row: RecordRow) => string | null;
  /** Expression on the row `new`, if different from the value. */
  readonly stored?: Sql;
}

const SENT = {
  uuid: sql`uuid[]`,
  timestamptz: sql`timestamptz[]`,
  date: sql`date[]`,
  text: sql`text[]`,
};

const COLUMNS_OF_FIELDS = (Object.keys(RECORD_COLUMNS) as ScalarName[]).map((name): Column => {
  const { kind, read } = SCALAR_FIELDS[name];
  return {
    name: identifier(RECORD_COLUMNS[name].column),
    sent: SENT[COLUMN_TYPES[kind]],
    value: ({ record }) => read(record),
  };
});

/** Without `seq`. */
export const SEARCH_COLUMNS: readonly Column[] = [
  ...COLUMNS_OF_FIELDS,
  { name: sql`notified_created_by`, sent: SENT.text, value: ({ notified }) => notified?.createdBy ?? null },
  {
    name: sql`notified_created_at_location`,
    sent: SENT.uuid,
    value: ({ notified }) => notified?.createdAtLocation ?? null,
  },
  // Lists of unequal length form no array of arrays, hence text.
  { name: sql`flags`, sent: SENT.text, value: ({ record }) => textArray(record.flags), stored: sql`flags::text[]` },
  {
    name: sql`terms`,
    sent: SENT.text,
    value: ({ terms }) => terms,
    stored: sql`terms::bigint[]`,
  },
];

/** Postgres array notation: `{"a","b"}`. */
const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
