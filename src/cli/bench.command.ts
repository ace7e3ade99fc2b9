import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Command } from 'commander';

import { packageDirectory } from '../platform/config/package-version.js';

/** `matricula bench`, of the checkout alone. Arguments are passed on, including `--help`. */
export const benchCommand = (): Command =>
  new Command('bench')
    .description('measure the service, from a checkout: docs/explanation/performance.md')
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (given: readonly string[]) => {
      const root = packageDirectory();
      const program = join(root, 'bench/main.ts');
      if (!existsSync(program)) throw new Error('benchmarks are run from a checkout: there is no bench/main.ts here');
      const child = spawn(process.execPath, ['--import', 'tsx', program, ...given], { cwd: root, stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number | null];
      process.exitCode = code ?? 1;
    });
