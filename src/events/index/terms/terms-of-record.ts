import type { Steps } from '../../../platform/queue/time-slice.js';
import type { EventRecord } from '../../../kernel/domain/event-record.js';
import { visitMetadata } from './metadata-terms.js';
import type { Facts } from '../values/facts.js';
import { KnownVocabulary } from './known-vocabulary.js';
import type { Vocabulary } from './vocabulary.js';
import { CollectedTerms } from './collected-terms.js';
import { collectDataTerms } from './data-terms.js';

export interface RecordTerms {
  /** Each once. */
  readonly hashes: readonly bigint[];
  /** Without known parts. */
  readonly vocabulary: Vocabulary;
}

/** `facts` are those of the record's declaration. */
export function* termsOfRecord(record: EventRecord, facts: Facts, known = new KnownVocabulary()): Steps<RecordTerms> {
  const found = new CollectedTerms(known);
  visitMetadata(record, (kind, value) => found.add(kind, value));
  yield* collectDataTerms(facts, found);
  return found;
}
