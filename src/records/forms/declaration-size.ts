import type { DeclarationChange } from '../../domain/record/event-action.js';
import type { Faults } from '../../errors/faults.js';

/**
 * What one declaration may hold: some ten times what the forms of a country have. Everything in it is derived for
 * searches while an operation is written, which takes some 25 ms at these bounds.
 */
export const MOST_VALUES = 2_000;
/** Of field ids, keys and texts together. */
export const MOST_CHARACTERS = 100_000;

/** Adds a fault if there is more in the declaration than operations may write. */
export function checkSize(declaration: DeclarationChange, path: string, faults: Faults): void {
  const { values, characters } = sizeOf(declaration);
  if (values > MOST_VALUES) faults.add(path, `has ${values} values; at most ${MOST_VALUES} are allowed`);
  if (characters > MOST_CHARACTERS) {
    faults.add(path, `has ${characters} characters of text; at most ${MOST_CHARACTERS} are allowed`);
  }
}

/** Counts members of objects and of lists at every level, and the length of all their keys and texts. */
function sizeOf(declaration: DeclarationChange): { readonly values: number; readonly characters: number } {
  let [values, characters] = [0, 0];
  const left: unknown[] = [declaration];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        values += 1;
        if (!Array.isArray(value)) characters += key.length;
        left.push(member);
      }
    }
  }
  return { values, characters };
}
