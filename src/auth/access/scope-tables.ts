import type { DocumentTable } from '../../kernel/domain/document-table.js';
import { quoted } from '../../kernel/errors/faults.js';
import { REGISTRATION_SCOPES, SCOPES } from './scope-permissions.js';

/** */
export const registrationTable = (): DocumentTable => ({
  heads: ['registered as', 'scope of its tokens', 'permits'],
  rows: Object.entries(REGISTRATION_SCOPES).map(([kind, scopes]) => [
    `\`${kind}\``,
    quoted(scopes),
    quoted(scopes.flatMap((scope) => SCOPES.get(scope)?.permissions ?? [])),
  ]),
});

/** */
export const scopeTable = (): DocumentTable => ({
  heads: ['scope', 'permits', 'options'],
  rows: [...SCOPES].map(([type, { permissions, options }]) => [
    `\`${type}\``,
    permissions.length === 1 && permissions[0] === type ? 'what it says' : quoted(permissions),
    quoted(options),
  ]),
});
