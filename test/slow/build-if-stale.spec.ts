import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { scratchDirectory } from '../support/scratch-directory.js';

/** What the build says and how it ends, in a checkout that has a compiler, but no development packages. */
function built(directory: string): { code: number | null; stderr: string } {
  const script = join(directory, 'scripts/build-if-stale.mjs');
  const { status: code, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  return { code, stderr };
}

describe('a checkout after `npm prune --omit=dev`', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await scratchDirectory('matricula-pruned-');
    const files = {
      'package.json': '{}',
      'tsconfig.json': '{}',
      'tsconfig.build.json': '{}',
      'src/main.ts': 'export const changed = true;',
      'demo/country.ts': 'export const changed = true;',
      // A package that the program needs brings it.
      'node_modules/typescript/package.json': '{"name":"typescript","version":"6.0.0"}',
      'node_modules/typescript/bin/tsc': 'process.exit(1)',
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(directory, path, '..'), { recursive: true });
      await writeFile(join(directory, path), text);
    }
    await mkdir(join(directory, 'scripts'));
    await cp(resolve('scripts/build-if-stale.mjs'), join(directory, 'scripts/build-if-stale.mjs'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('goes on with the build that it has, and says so', async () => {
    await mkdir(join(directory, 'dist'));
    await writeFile(join(directory, 'dist/.built'), 'of other sources');
    expect(built(directory)).toEqual({
      code: 0,
      stderr: 'The sources have changed since the build, and there is no compiler: this is the older build.\n',
    });
  });

  it('says what is missing where it has none', () => {
    expect(built(directory)).toEqual({
      code: 1,
      stderr: 'There is no build, and no compiler to make it: run `npm ci && npm run build` first.\n',
    });
  });
});
