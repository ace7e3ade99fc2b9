import type { DocumentTable } from '../domain/life-cycle/life-cycle-tables.js';
import { REGISTRATION_SCOPES, SCOPES } from './scope-permissions.js';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** What each kind of client may do. */
export const registrationTable = (): DocumentTable => ({
  heads: ['registered as', 'scope of its tokens', 'permits'],
  rows: Object.entries(REGISTRATION_SCOPES).map(([kind, scopes]) => [
    `\`${kind}\``,
    code(scopes),
    code(scopes.flatMap((scope) => SCOPES.get(scope)?.permissions ?? [])),
  ]),
});

/** What each scope permits, and the options that restrict it. */
export const scopeTable = (): DocumentTable => ({
  heads: ['scope', 'permits', 'options'],
  rows: [...SCOPES].map(([type, { permissions, options }]) => [
    `\`${type}\``,
    permissions.length === 1 && permissions[0] === type ? 'what it says' : code(permissions),
    code(options),
  ]),
});
