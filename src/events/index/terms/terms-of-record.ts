import type { EventRecord } from '../../../kernel/domain/event-record.js';
import type { Steps } from '../../../platform/queue/time-slice.js';
import { fieldOf } from '../values/data-path.js';
import type { Facts } from '../values/facts.js';
import { CollectedTerms } from './collected-terms.js';
import { FieldTerms } from './field-terms.js';
import { InsideTerms } from './inside-terms.js';
import { KnownVocabulary } from './known-vocabulary.js';
import type { Terms } from './terms.js';
import type { Vocabulary } from './vocabulary.js';

/** A value per step. Each condition on a field has an exact term; insides have coarser ones: `InsideTerms`. */
export function* collectDataTerms(facts: Facts, found: CollectedTerms): Steps<void> {
  for (const fieldId of Object.keys(facts)) {
    const alternatives = facts[fieldId] ?? [];
    const path = fieldOf(fieldId);
    const field = new FieldTerms(path, found);
    for (const fact of alternatives) {
      field.add(fact);
      yield;
    }
    field.close();
    let inside: InsideTerms | undefined;
    for (const { m } of alternatives) {
      if (m !== undefined) yield* (inside ??= new InsideTerms(path, field, found)).add(m, path);
    }
  }
}

export interface RecordTerms {
  /** Each once. */
  readonly hashes: readonly bigint[];
  /** Without known parts. */
  readonly vocabulary: Vocabulary;
}

/** `facts` are those of the record's declaration. */
export function* termsOfRecord(
  record: EventRecord,
  facts: Facts,
  terms: Terms,
  known = new KnownVocabulary(),
): Steps<RecordTerms> {
  const found = new CollectedTerms(terms, known);
  terms.visitMetadata(record, (hash) => {
    found.add(hash);
  });
  yield* collectDataTerms(facts, found);
  return found;
}
