import { factsOf } from '../search/facts.js';
import type { WordsAtPath } from '../search/fuzzy/words-of-facts.js';
import { wordsOfFacts } from '../search/fuzzy/words-of-facts.js';
import { termsOf } from '../search/terms.js';
import type { ProjectedEvent } from './project-event.js';
import { recordBody } from './record-body.js';

/** What the tables `event_search` and `event_document` hold of one event, but for its `seq`. */
export interface RecordRow extends ProjectedEvent {
  /** The record as an answer carries it. */
  readonly body: string;
  /** `factsOf` the declaration, as JSON. */
  readonly facts: string;
  /** `termsOf` the record, each once, as Postgres spells an array: `{-3,17}`. */
  readonly terms: string;
  /** `wordsOfFacts`: what fuzzy conditions find. */
  readonly words: readonly WordsAtPath[];
}

export function recordRow({ record, notified }: ProjectedEvent): RecordRow {
  const facts = factsOf(record.declaration);
  return {
    record,
    notified,
    body: recordBody(record),
    facts: JSON.stringify(facts),
    terms: `{${[...new Set(termsOf(record, facts))].join(',')}}`,
    words: wordsOfFacts(facts),
  };
}
