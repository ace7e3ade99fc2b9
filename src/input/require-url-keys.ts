import { Input } from './input.js';
import { Notes } from './notes.js';
import { quoted } from '../errors/quoted.js';

/**
 * Refuses parameters in the URL of a request other than these, each under its name: a `limit` or a condition that stands
 * there by mistake, or a misspelt `cursor`, must not be passed over (S-2). Throws 400 BAD_REQUEST.
 */
export function requireUrlKeys(query: object, known: readonly string[] = []): void {
  if (Object.keys(query).every((key) => known.includes(key))) return;
  const notes = new Notes();
  const taken = known.length === 0 ? '' : `, which may have ${quoted(known)}`;
  Input.body(query, notes).refuseKeysBut(known, () => `is not taken in the URL${taken}`);
  throw notes.toError();
}
