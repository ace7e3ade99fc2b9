/** Jest runs everything as CommonJS, ESM packages included: `docs/architecture.md`, Tests. */
const decorators = { legacyDecorator: true, decoratorMetadata: true };
const swc = (parser, transform) => [
  '@swc/jest',
  {
    jsc: { parser, transform, target: 'es2022', keepClassNames: true },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
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
    '/node_modules/(?!(?:.*/node_modules/)?(@nestjs|jose|oauth4webapi|openid-client|content-disposition|file-type|strtok3|token-types|uint8array-extras|@tokenizer|load-esm|@borewit)/)',
  ],
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
  // Tests wait for servers and clocks more than they compute: one worker less than there are cores would leave a core idle.
  maxWorkers: '100%',
  projects: [
    project('unit', ['<rootDir>/src/**/*.spec.ts']),
    project('golden', ['<rootDir>/test/golden/**/*.spec.ts']),
    project('database', ['<rootDir>/test/database/**/*.spec.ts'], withServices),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts'], withServices),
  ],
};
