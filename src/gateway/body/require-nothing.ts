import { Input } from '../../kernel/input/input.js';
import { Notes } from '../../kernel/input/notes.js';

/**
 * Refuses what stands in the body of a request to a route that reads none: it was meant for something (E-11). `{}` and
 * `null`, which client libraries send of themselves, are passed over. Throws 400 BAD_REQUEST.
 */
export function requireNothing(body: unknown): void {
  if (body === null) return;
  const notes = new Notes();
  const given = Input.body(body, notes);
  if (given.isObject) given.refuseKeysBut([], () => 'is not taken: this request has no body');
  else given.refuse('must be absent: this request has no body');
  if (!notes.none) throw notes.toError();
}
