import { termsOfRecord } from '../derived/record-terms/terms-of-record.js';
import { factsOf } from '../derived/values/facts.js';
import { storedFacts } from '../derived/values/stored-facts.js';
import type { KnownVocabulary } from '../derived/words/known-vocabulary.js';
import type { Vocabulary } from '../derived/words/vocabulary.js';
import type { ProjectedEvent } from './project/project-event.js';
import { recordBody } from './record-body.js';

/** What the tables `event_search` and `event_document` hold of one event, but for its `seq`. */
export interface RecordRow extends ProjectedEvent {
  /** The record as an answer carries it. */
  readonly body: string;
  /** `storedFacts` of the declaration, as JSON. */
  readonly facts: string;
  /** The hashes of the record's terms, each once, as Postgres spells an array: `{-3,17}`. */
  readonly terms: string;
  /** To be written with the row, unless it is known: see `writeVocabulary`. */
  readonly vocabulary: Vocabulary;
}

/** Everything that is stored of an event for searches. Terms that `known` has are not written again. */
export function recordRow({ record, notified }: ProjectedEvent, known?: KnownVocabulary): RecordRow {
  const facts = factsOf(record.declaration);
  const { hashes, vocabulary } = termsOfRecord(record, facts, known);
  return {
    record,
    notified,
    body: recordBody(record),
    facts: JSON.stringify(storedFacts(facts)),
    terms: `{${hashes.join(',')}}`,
    vocabulary,
  };
}
