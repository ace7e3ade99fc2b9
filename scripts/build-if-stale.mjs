// Builds dist/ when it is missing or older than the sources, so that `npm start` works in a fresh clone and starts
// quickly afterwards. Where there are no sources (the image) there is nothing to do.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built');

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

export function buildIfStale() {
  if (!existsSync(join(root, 'src'))) return;
  const inputs = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'].map((name) => newest(join(root, name)));
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= Math.max(...inputs)) return;
  const started = Date.now();
  process.stderr.write('Building …\n');
  const nest = createRequire(join(root, 'package.json')).resolve('@nestjs/cli/bin/nest.js');
  const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    process.stderr.write('The build failed; its messages stand above.\n');
    process.exit(1);
  }
  writeFileSync(stamp, '');
  process.stderr.write(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildIfStale();
