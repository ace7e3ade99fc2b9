/** How Jest loads our code and packages: `docs/architecture.md`, Tests. */
import { availableParallelism } from 'node:os';

const swc = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2022',
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    // Beside the code, not in it: only a failure reads a map.
    sourceMaps: true,
  },
];

const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  testEnvironment: '<rootDir>/test/support/spec-environment.ts',
  runtime: '<rootDir>/test/support/spec-runtime.cjs',
  transform: { '^.+\\.ts$': swc },
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
  // Each worker loads the packages and our code once; one worker more than there are cores works while others wait.
  maxWorkers: availableParallelism() + 1,
  reporters: ['default', '<rootDir>/test/support/slowest-suites.mjs'],
  projects: [
    project('unit', ['<rootDir>/{src,demo}/**/*.spec.ts']),
    project('golden', ['<rootDir>/test/golden/**/*.spec.ts']),
    project('database', ['<rootDir>/test/database/**/*.spec.ts'], withServices),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts'], withServices),
    // Left out of `npm test`.
    project('slow', ['<rootDir>/test/slow/**/*.spec.ts'], withServices),
  ],
};
