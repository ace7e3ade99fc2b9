import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: ['**/*.mjs', '**/*.cjs', 'dist/', 'node_modules/', '.data/', 'coverage/', '*.config.js', 'scripts/'],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // One file that is read is better than four that are opened.
      'max-lines': ['error', { max: 400 }],
      // Nest modules and DTOs are classes that hold nothing but decorators.
      '@typescript-eslint/no-extraneous-class': 'off',
      // Numbers and booleans read well in messages.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // absurd(x) in a default branch is how an unhandled case breaks the build.
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in src/platform/config alone.' },
      ],
    },
  },
  {
    // A connection without a deadline, a look at its server and a listener for its errors could hang or end the process.
    files: ['src/**'],
    ignores: ['src/platform/database/connection/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "NewExpression[callee.object.name='pg'][callee.property.name=/^(Client|Pool)$/], " +
            "ImportDeclaration[importKind!='type'][source.value='pg'] > ImportSpecifier[importKind!='type'][imported.name=/^(Client|Pool)$/]",
          message:
            'Connections are made in src/platform/database/connection alone: take GuardedClient, guardedPool or Primary.',
        },
      ],
    },
  },
  {
    files: ['src/platform/config/**', 'ormconfig.ts', 'test/**', 'bench/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
);
