import { isWellFormedText, WELL_FORMED_TEXT } from '../../../kernel/domain/text.js';
import { isLongerThan } from '../../../kernel/input/checks.js';
import { MAX_FIELD_ID_CODE_POINTS } from './schemas.js';

/** Also for a key inside a value; undefined if there is none. */
export function fieldIdFault(id: string): string | undefined {
  if (id === '') return 'a field id must not be empty';
  if (id === '__proto__') return 'unknown key';
  if (!isWellFormedText(id)) return `a field id ${WELL_FORMED_TEXT}`;
  if (isLongerThan(id, MAX_FIELD_ID_CODE_POINTS)) {
    return `a field id must have at most ${MAX_FIELD_ID_CODE_POINTS} code points`;
  }
  return undefined;
}
