import { faultOfScope, grantsOf } from '../access/scope-permissions.js';
import { scopeNow } from '../../kernel/domain/scopes/decode-scope.js';
import { LONGEST_SCOPES, MOST_SCOPES } from '../../kernel/domain/scopes/scope.js';
import { isWellFormedText, WELL_FORMED_TEXT } from '../../kernel/domain/text.js';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { isLongerThan } from '../../kernel/input/checks.js';

const NAME_REQUIRED = 'Integration name is required';
const SCOPE_REQUIRED = 'At least one scope is required';
const LONGEST_NAME = 200;
const LONGEST_SCOPE = 2_000;

export function checkName(name: unknown, path: string, faults: Faults): void {
  if (typeof name !== 'string') faults.add(path, 'must be a string');
  else if (name.trim() === '') faults.add(path, NAME_REQUIRED);
  else if (isLongerThan(name, LONGEST_NAME)) faults.add(path, `must be at most ${LONGEST_NAME} characters`);
  else if (!isWellFormedText(name)) faults.add(path, WELL_FORMED_TEXT);
}

/** If there are too many, the scopes are not read. */
export function checkScopes(scopes: unknown, path: string, faults: Faults): void {
  if (!Array.isArray(scopes)) faults.add(path, 'must be an array');
  else if (scopes.length === 0) faults.add(path, SCOPE_REQUIRED);
  else if (scopes.length > MOST_SCOPES || lengthOf(scopes) > LONGEST_SCOPES) {
    faults.add(path, `must be at most ${MOST_SCOPES}, of ${LONGEST_SCOPES} characters together`);
  } else
    scopes.forEach((scope, at) => {
      checkScope(scope, memberPath(path, at), faults);
    });
}

/** Stored form: scope names of earlier releases are translated. */
export const scopesNow = (scopes: readonly string[]): readonly string[] => [...new Set(scopes.map(scopeNow))];

function checkScope(scope: unknown, path: string, faults: Faults): void {
  if (typeof scope !== 'string') {
    faults.add(path, 'must be a string');
    return;
  }
  if (scope.length > LONGEST_SCOPE) {
    faults.add(path, `must be at most ${LONGEST_SCOPE} characters`);
    return;
  }
  const fault = faultOfScope(scope);
  if (fault !== undefined) {
    faults.add(path, `${JSON.stringify(scope)} is no scope that this service understands: ${fault}`);
    return;
  }
  if (grantsOf([scope], () => undefined).some(({ permission }) => permission === 'sysadmin')) {
    faults.add(path, `${JSON.stringify(scope)} is an administrator's, and no client's`);
  }
}

const lengthOf = (scopes: readonly unknown[]): number =>
  scopes.reduce<number>((sum, scope) => sum + (typeof scope === 'string' ? scope.length : 0), 0);
