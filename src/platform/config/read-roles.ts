import { decodeScope } from '../../kernel/domain/scopes/decode-scope.js';
import { isRoleId, type Role, ROLE_IDS } from '../../kernel/domain/role.js';
import { LONGEST_SCOPES, MOST_SCOPES } from '../../kernel/domain/scopes/scope-bounds.js';
import type { Faults } from '../../kernel/errors/faults.js';
import { memberPath } from '../../kernel/errors/issue-path.js';
import { BoundedFaults } from '../../kernel/input/bounded-faults.js';
import { Members, type Reader } from '../../kernel/input/members.js';
import { outcomeOf, type Parsed } from '../../kernel/input/parsed.js';
import { NAME } from '../../kernel/input/readers.js';
import { parseJson } from './parse-json.js';

const MOST_ROLES = 200;

const KEYS = new Set(['id', 'label', 'scopes']);

const ROLE_ID: Reader<string> = {
  expected: `must be a name ${ROLE_IDS}`,
  read: (value) => (typeof value === 'string' && isRoleId(value) ? value : undefined),
};

/**
 * Parses `ROLES_FILE` (U-6): `[{"id": …, "label": …, "scopes": […]}]`. Faults have paths: `[2].scopes[0]: …`. Whether a
 * decodable scope grants anything is not checked.
 */
export function readRoles(text: string): Parsed<readonly Role[]> {
  const faults = new BoundedFaults('file');
  return outcomeOf(parseRoles(parseJson(text, faults), faults), faults);
}

function parseRoles(value: unknown, faults: Faults): readonly Role[] {
  if (!faults.none) return [];
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ROLES) {
    faults.add('file', `must be a list of 1 to ${MOST_ROLES} roles`);
    return [];
  }
  const seen = new Set<string>();
  return value.flatMap((item: unknown, at) => {
    const members = Members.of(item, `[${at}]`, faults);
    if (members === undefined) return [];
    members.refuseOthersThan(KEYS);
    const id = members.required('id', ROLE_ID);
    if (seen.has(id)) faults.add(`[${at}].id`, `repeats ${id}`);
    seen.add(id);
    return [{ id, label: members.required('label', NAME), scopes: members.parsed('scopes', parseScopes) }];
  });
}

function parseScopes(value: unknown, path: string, faults: Faults): readonly string[] {
  if (!Array.isArray(value) || value.length > MOST_SCOPES || charactersOf(value) > LONGEST_SCOPES) {
    faults.add(path, `must be a list of at most ${MOST_SCOPES} scopes, of ${LONGEST_SCOPES} characters together`);
    return [];
  }
  return value.flatMap((scope: unknown, at) => {
    if (typeof scope === 'string' && decodeScope(scope) !== undefined) return [scope];
    faults.add(memberPath(path, at), `${JSON.stringify(scope)} is no scope that can be read`);
    return [];
  });
}

/** Items that are not text are faults of their own. */
const charactersOf = (items: readonly unknown[]): number =>
  items.reduce<number>((sum, item) => sum + (typeof item === 'string' ? item.length : 0), 0);
