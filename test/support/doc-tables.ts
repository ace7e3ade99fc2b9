import { registrationTable, scopeTable } from '../../src/auth/access/scope-permissions.js';
import { throttlingTable } from '../../src/auth/secrets/failed-credential-limit.js';
import { roleTable } from '../../src/auth/users/roles.js';
import type { DocumentTable } from '../../src/kernel/domain/record-columns.js';
import { authorTable, conditionTable, effectTable, stateTable } from './life-cycle-tables.js';

/** The tables that pages have between `<!-- NAME: … -->` and `<!-- end of NAME -->`, by page. */
const TABLES: Readonly<Record<string, Readonly<Record<string, () => DocumentTable>>>> = {
  'docs/reference/records.md': {
    states: stateTable,
    conditions: conditionTable,
    effects: effectTable,
    authors: authorTable,
  },
  'docs/reference/system-clients.md': { registrations: registrationTable, scopes: scopeTable },
  'docs/reference/users.md': { roles: roleTable, throttles: throttlingTable },
};

/** The pages that have generated tables. */
export const PAGES_WITH_TABLES = Object.keys(TABLES);

/** The page with its tables as the code has them. Throws for one that has no place. */
export function withTables(page: string, text: string): string {
  return Object.entries(TABLES[page] ?? {}).reduce((before, [name, table]) => {
    const [begin, end] = [`<!-- ${name}: npm run docs:tables writes this table -->`, `<!-- end of ${name} -->`];
    const [from, to] = [before.indexOf(begin), before.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${page} has no place for the table ${name}`);
    return `${before.slice(0, from)}${begin}\n\n${markdown(table())}\n\n${before.slice(to)}`;
  }, text);
}

/** As prettier formats it. */
function markdown({ heads, rows }: DocumentTable): string {
  const widths = heads.map((head, at) => Math.max(3, head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
