import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RowFilter } from '../../../src/kernel/domain/scopes/caller.js';
import { UNKNOWN_CARDINALITIES } from '../../../src/events/index/statistics/cardinalities.js';
import type { CopyName } from '../../../src/kernel/domain/secured-fields.js';
import type { SearchRequest } from '../../../src/kernel/domain/search-request.js';
import { type CompiledSearch, compileSearch } from '../../../src/events/search/predicate/compile-search.js';
import type { SearchContext } from '../../../src/events/search/predicate/search-context.js';
import type { Guard } from '../../../src/events/search/request/refuse-secured.js';
import { compileSingleStatement } from '../../../src/events/search/statement/page.js';
import { below } from '../../support/hierarchy.js';
import { knownOf } from '../../support/reference/near-words.js';

/**
 * Each `<name>.json` is a search as the parser yields it, with the caller's reach; `<name>.sql` the statement made of
 * it. After a change that is meant: `UPDATE_GOLDEN=1 npx
 * jest --selectProjects golden search-sql`, and read the difference.
 */
const FOLDER = new URL('.', import.meta.url);
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

const context: SearchContext = {
  now: new Date('2026-03-01T12:00:00.500Z'),
  timezone: 'Africa/Lusaka',
  below,
  ...knownOf([
    { 'child.name': { firstname: 'Musonda', surname: 'Musunda' } },
    { 'child.name': { firstname: 'Musonda', surname: 'Banda' }, 'mother.name': { firstname: 'Muzonda' } },
    { 'child.dob': '2024-02-29', 'child.place': 'Musonda Street 20' },
  ]),
};

interface Case {
  readonly request: SearchRequest;
  readonly reach: RowFilter;
  readonly guard?: {
    readonly secured: Readonly<
      Record<string, { readonly fieldIds: readonly string[]; readonly copies: readonly CopyName[] }>
    >;
    readonly readable: Guard['readable'];
  };
}

const compiled = ({ request, reach, guard }: Case): CompiledSearch =>
  compileSearch(request, reach, { ...context, guard: guard && guardIn(guard) });

const guardIn = ({ secured, readable }: NonNullable<Case['guard']>): Guard => ({
  secured: new Map(
    Object.entries(secured).map(([type, { fieldIds, copies }]) => [
      type,
      { fieldIds: new Set(fieldIds), copies: new Set(copies) },
    ]),
  ),
  readable,
});

function statementOf(search: CompiledSearch): string {
  const { text, params } = compileSingleStatement(search, UNKNOWN_CARDINALITIES).toQuery();
  const lines = params.map(
    (param, at) => `-- $${at + 1} ${JSON.stringify(param, (_, value: unknown) => toJson(value))}`,
  );
  return `${[text, ...lines].join('\n')}\n`;
}

const toJson = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('the statement of a search', () => {
  it.each(names)('of %s is the one on file', (name) => {
    const statement = statementOf(compiled(JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Case));
    const file = new URL(`${name}.sql`, FOLDER);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, statement);
    expect(statement).toBe(readFileSync(file, 'utf8'));
  });
});
