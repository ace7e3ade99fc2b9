import { grantsOf } from '../../access/scope-permissions.js';
import { scopeNow } from '../../domain/encode-scope.js';
import { isWellFormedText, WELL_FORMED_TEXT } from '../../domain/well-formed-text.js';
import { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';

/** A token with more would not fit into the headers of a request. */
const MOST_SCOPES = 100;
const LONGEST_SCOPES = 6_000;

/**
 * The scopes of a new client, names of earlier releases as what they have become. Throws 400 with one issue for
 * each fault of its name, and for each scope that is not understood, or that belongs to administrators, after those
 * that were found already.
 */
export function soundScopes(name: string, scopes: readonly string[], faults = new Faults()): readonly string[] {
  if (name.trim() === '') faults.add('name', 'must not be empty');
  if (!isWellFormedText(name)) faults.add('name', WELL_FORMED_TEXT);
  if (scopes.length === 0) faults.add('scopes', 'must name at least one scope');
  if (scopes.length > MOST_SCOPES || scopes.join('').length > LONGEST_SCOPES) {
    faults.add('scopes', `must be at most ${MOST_SCOPES}, of ${LONGEST_SCOPES} characters together`);
    faults.throwIfAny();
  }
  scopes.forEach((scope, at) => {
    const unknown: string[] = [];
    const grants = grantsOf([scope], (text) => unknown.push(text));
    const path = memberPath('scopes', at);
    if (unknown.length > 0) faults.add(path, `${JSON.stringify(scope)} is no scope that this service understands`);
    if (grants.some(({ permission }) => permission === 'sysadmin')) {
      faults.add(path, `${JSON.stringify(scope)} is an administrator's, and no client's`);
    }
  });
  faults.throwIfAny();
  return [...new Set(scopes.map(scopeNow))];
}
