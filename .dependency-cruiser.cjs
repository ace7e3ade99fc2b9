/** The order of imports of docs/architecture.md: a room may import those before it, never one after it. */
const rooms = [
  'errors',
  'domain',
  'sql',
  'input',
  'config',
  'database',
  'access',
  'audit',
  'auth',
  'locations',
  'users',
  'derived',
  'records',
  'search',
  'reindex',
  'places',
  'files',
  'outbound',
  'webhooks',
  'intake',
  'notices',
  'gateway',
  'trpc',
];
/** Within a room, the parts that have an order: what is derived, and the stages that a search passes. */
const parts = {
  outbound: ['http', 'attempts', 'outbox', 'log'],
  derived: ['values', 'terms', 'words', 'near-words', 'statistics', 'areas', 'bitmaps', 'record-terms'],
  search: ['request', 'cost', 'predicate', 'plan', 'statement', 'answer', 'admission', 'explain', 'counts'],
};
const pure = '^(demo/|src/(errors|domain|sql|input|search/(predicate|plan|statement|evaluate))/)';

/** Nothing in one of `folders` imports one that comes after it. */
const ordered = (name, under, folders, last = []) =>
  folders
    .map((folder, at) => [folder, [...folders.slice(at + 1).map((later) => `${later}/`), ...last]])
    .filter(([, later]) => later.length > 0)
    .map(([folder, later]) => ({
      name: `${name}-${folder}`,
      severity: 'error',
      from: { path: `^${under}${folder}/` },
      to: { path: `^${under}(${later.join('|')})` },
    }));

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...ordered('order', 'src/', rooms, ['cli/', 'events\\.module', 'app\\.module', 'application', 'main']),
    ...Object.entries(parts).flatMap(([room, folders]) => ordered(`order-${room}`, `src/${room}/`, folders)),
    {
      name: 'demo-for-the-command-line-alone',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^demo/' },
    },
    {
      name: 'demo-is-apart',
      severity: 'error',
      from: { path: '^demo/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(errors|domain)/' },
    },
    {
      name: 'pure-core',
      comment: 'The core is data in, data out: no framework, database, clock or environment.',
      severity: 'error',
      from: { path: pure, pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/(@nestjs|typeorm|pg|fastify|ioredis|pino)|^(node:)?(fs|net|http|process)' },
    },
    {
      name: 'cli-and-main-last',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main|cli/)' },
      to: { path: '^src/(main|cli/)' },
    },
    {
      name: 'no-tests-in-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|bench)/' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
