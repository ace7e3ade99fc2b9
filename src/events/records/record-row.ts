import { atOnce, type Steps } from '../../platform/queue/time-slice.js';
import { termsOfRecord } from '../index/terms/terms-of-record.js';
import { factLines } from '../index/values/document.js';
import { factsOf } from '../index/values/facts.js';
import { storedFacts } from '../index/values/stored-facts.js';
import type { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import type { Vocabulary } from '../index/terms/vocabulary.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { ProjectedEvent } from './project/project-event.js';
import { recordBody } from './record-body.js';

/** Content of `event_search` and `event_document`, without `seq`. */
export interface RecordRow extends ProjectedEvent {
  /** JSON of `recordBody`. */
  readonly body: string;
  /** `factLines` of the declaration. */
  readonly facts: string;
  /** Distinct hashes of terms as a Postgres array: `{-3,17}`. */
  readonly terms: string;
  /** See `writeVocabulary`. */
  readonly vocabulary: Vocabulary;
}

/**
 * Derived characters per statement; the last event may exceed it. Two of the largest declarations, some 400,000
 * characters each, block for 20 to 40 of Q-1's 50 ms.
 */
export const MOST_DERIVED = 512 * KIB;

/** In characters. */
export const sizeOfRow = ({ body, facts, terms }: RecordRow): number => body.length + facts.length + terms.length;

/** `known` terms are not written again. */
export const recordRow = (projected: ProjectedEvent, known?: KnownVocabulary): RecordRow =>
  atOnce(recordRowSteps(projected, known));

/** As `recordRow`, in steps of at most some milliseconds. */
export function* recordRowSteps({ record, notified }: ProjectedEvent, known?: KnownVocabulary): Steps<RecordRow> {
  const facts = factsOf(record.declaration);
  yield;
  const { hashes, vocabulary } = yield* termsOfRecord(record, facts, known);
  const terms = `{${hashes.join(',')}}`;
  yield;
  const body = recordBody(record);
  yield;
  return { record, notified, body, facts: factLines(storedFacts(facts)), terms, vocabulary };
}
