import type { Steps } from '../../../platform/queue/time-slice.js';
import { fieldOf } from '../values/data-path.js';
import type { Facts } from '../values/facts.js';
import type { CollectedTerms } from './collected-terms.js';
import { FieldTerms } from './field-terms.js';
import { InsideTerms } from './inside-terms.js';

/**
 * Collects the terms of a declaration, and what occurs at which path of it. A field has terms for everything that a
 * condition on it can ask for, each exact in its aspect. The terms of what is inside its values are coarser:
 * `InsideTerms`. Each value is a step.
 */
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
