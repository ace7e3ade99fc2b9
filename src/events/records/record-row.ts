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

/** The contents of the tables `event_search` and `event_document` for one event, except its `seq`. */
export interface RecordRow extends ProjectedEvent {
  /** The record in an answer. */
  readonly body: string;
  /** `factLines` of the declaration. */
  readonly facts: string;
  /** The hashes of the record's terms, each once, in the notation of Postgres arrays: `{-3,17}`. */
  readonly terms: string;
  /** To be written with the row, unless it is known: see `writeVocabulary`. */
  readonly vocabulary: Vocabulary;
}

/**
 * How much is derived of events that are written together, in characters; the last event may exceed it. Their
 * statements are made in one piece, and operations answered in one: for two events with the largest declarations, of
 * some 400,000 characters each, that takes 20 to 40 ms of the 50 that Q-1 allows.
 */
export const MOST_DERIVED = 512 * KIB;

/** How much is derived of an event, in characters. */
export const sizeOfRow = ({ body, facts, terms }: RecordRow): number => body.length + facts.length + terms.length;

/** Everything that is stored of an event for searches. Terms in `known` are not written again. */
export const recordRow = (projected: ProjectedEvent, known?: KnownVocabulary): RecordRow =>
  atOnce(recordRowSteps(projected, known));

/** The same in steps, of which the longest takes some milliseconds of the largest declaration that is permitted. */
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
