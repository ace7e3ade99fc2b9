/** The order of imports of docs/architecture.md: a room may import those before it, never one after it. */
const rooms = ['kernel', 'platform', 'auth', 'events', 'webhooks', 'gateway', 'cli'];
const pure = '^(demo/|src/(kernel|events/search/(predicate|plan|statement|evaluate))/)';

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...rooms.slice(0, -1).map((room, at) => ({
      name: `order-${room}`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: `^src/(${rooms.slice(at + 1).join('|')})/` },
    })),
    {
      name: 'a-room-for-every-file',
      severity: 'error',
      from: { path: `^src/(?!(${rooms.join('|')})/|main\\.ts)` },
      to: {},
    },
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
      to: { path: '^src/', pathNot: '^src/kernel/' },
    },
    {
      name: 'pure-core',
      comment: 'The core is data in, data out: no framework, database, clock or environment.',
      severity: 'error',
      from: { path: pure, pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/(@nestjs|typeorm|pg|fastify|ioredis|pino)|^(node:)?(fs|net|http|process)' },
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
