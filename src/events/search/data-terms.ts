import { fieldOf } from './data-path.js';
import type { Facts } from './facts.js';
import { Collected, FieldTerms } from './field-terms.js';
import { InsideTerms } from './inside-terms.js';
import type { Term } from './term-kind.js';
import type { PathVocabulary } from './vocabulary/vocabulary.js';

/** The terms of a declaration, and what occurs at which path of it. */
export interface DataTerms {
  readonly terms: readonly Term[];
  readonly paths: readonly PathVocabulary[];
}

/**
 * A field has terms of all that a condition on it can ask for: what each aspect says is exact. What is inside its values
 * is coarser: `InsideTerms`.
 */
export function dataTermsOf(facts: Facts): DataTerms {
  const found = new Collected();
  for (const [fieldId, alternatives] of Object.entries(facts)) {
    const path = fieldOf(fieldId);
    const field = new FieldTerms(path, found);
    for (const fact of alternatives) field.add(fact);
    field.close();
    const inside = new InsideTerms(path, field, found);
    for (const fact of alternatives) if (fact.m !== undefined) inside.add(fact.m, path);
  }
  return found;
}
