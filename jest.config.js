/** Jest runs everything as CommonJS, ESM packages included: `docs/architecture.md`, Tests. */
import { availableParallelism } from 'node:os';

const decorators = { legacyDecorator: true, decoratorMetadata: true };
const swc = (parser, transform) => [
  '@swc/jest',
  {
    jsc: { parser, transform, target: 'es2022', keepClassNames: true },
    module: { type: 'commonjs' },
    // Beside the code, not in it: for each spec file all of the code is read again, and only a failure reads a map.
    sourceMaps: true,
  },
];

/**
 * Handed to each module as variables of its own. In the context that Jest runs modules in every look at a global is a call
 * of its own, which made what computes up to sixty times slower. Left out is what tests replace (clocks and timers), and
 * what packages declare themselves.
 */
const injected = [
  ...['Array', 'ArrayBuffer', 'BigInt', 'Boolean', 'DataView', 'Error', 'Int32Array', 'JSON', 'Map', 'Math', 'Number'],
  ...[
    'Object',
    'Promise',
    'Proxy',
    'Reflect',
    'RegExp',
    'Set',
    'String',
    'Symbol',
    'TypeError',
    'Uint8Array',
    'Uint32Array',
  ],
  ...['WeakMap', 'WeakSet', 'parseInt'],
];

const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  testEnvironment: '<rootDir>/test/support/spec-environment.ts',
  transform: {
    '^.+\\.ts$': swc({ syntax: 'typescript', decorators: true }, decorators),
    'node_modules/.+\\.m?js$': swc({ syntax: 'ecmascript' }, {}),
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(?:.*/node_modules/)?(@nestjs|jose|oauth4webapi|openid-client|content-disposition|file-type|strtok3|token-types|uint8array-extras|@tokenizer|load-esm|@borewit|superjson|copy-anything|is-what)/)',
  ],
  sandboxInjectedGlobals: injected,
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1', '$1.js'] },
  ...more,
});

const withServices = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

export default {
  // It bounds a hang: no test depends on the speed of its machine.
  testTimeout: 120_000,
  // Tests wait for servers and clocks as much as they compute: with a worker for each of two cores these were idle for a third
  // of the time.
  maxWorkers: Math.max(4, availableParallelism()),
  projects: [
    project('unit', ['<rootDir>/src/**/*.spec.ts']),
    project('golden', ['<rootDir>/test/golden/**/*.spec.ts']),
    project('database', ['<rootDir>/test/database/**/*.spec.ts'], withServices),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts'], withServices),
  ],
};
