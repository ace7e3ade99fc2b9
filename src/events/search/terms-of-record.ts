import type { EventRecord } from '../../domain/event-record.js';
import { dataTermsOf } from './data-terms.js';
import type { Facts } from './facts.js';
import { termsOfFacets } from './terms.js';
import type { Vocabulary } from './vocabulary/vocabulary.js';

/** By what a record is found, and what searches must know of it. */
export interface RecordTerms {
  /** The hashes of its terms, each once. */
  readonly hashes: readonly bigint[];
  readonly vocabulary: Vocabulary;
}

/** `facts` are those of the record's declaration. */
export function termsOfRecord(record: EventRecord, facts: Facts): RecordTerms {
  const data = dataTermsOf(facts);
  const terms = [...termsOfFacets(record), ...data.terms];
  return {
    hashes: [...new Set(terms.map(({ hash }) => hash))],
    vocabulary: { paths: data.paths, terms: terms.filter(({ isCountable }) => isCountable) },
  };
}
