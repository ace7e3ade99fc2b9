/** The order of imports of docs/architecture.md: a room may import those before it, never one after it. */
const rooms = [
  'errors',
  'domain',
  'sql',
  'config',
  'database',
  'access',
  'audit',
  'auth',
  'locations',
  'webhooks',
  'events',
  'demo',
  'gateway',
];
const pure = '^src/(errors|domain|sql|demo|events/search/(compile|evaluate))/';

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...rooms.map((room, at) => ({
      name: `order-${room}`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: `^src/(${[...rooms.slice(at + 1), 'cli', 'app\\.module', 'application', 'main'].join('|')})` },
    })),
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
