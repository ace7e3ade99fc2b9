import type { DocumentTable } from '../../kernel/domain/document-table.js';
import type { Role } from '../../kernel/domain/role.js';
import { DEFAULT_ROLES } from './default-roles.js';

/** Documents the default roles (U-6). */
export const roleTable = (): DocumentTable => ({
  heads: ['role', 'label', 'scopes'],
  rows: DEFAULT_ROLES.map(({ id, label, scopes }) => [`\`${id}\``, label, shown(scopes)]),
});

/** Scopes that differ in type alone are merged: `type=… with placeOfEvent=location`. */
function shown(scopes: Role['scopes']): string {
  const byOptions = new Map<string, string[]>();
  for (const scope of scopes) {
    const [type = '', ...options] = scope.replace(/^type=/, '').split('&');
    const key = options.join('&');
    byOptions.set(key, [...(byOptions.get(key) ?? []), `\`${type}\``]);
  }
  return [...byOptions]
    .map(([options, types]) => `${types.join(', ')}${options === '' ? '' : ` with \`${options}\``}`)
    .join('; ');
}
