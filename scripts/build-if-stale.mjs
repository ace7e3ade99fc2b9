// Builds dist/ when it is missing or older than the sources, so that `npm start` works in a fresh clone and starts
// quickly afterwards. Where there are no sources (the image) there is nothing to do.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const stamp = '.built';

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

export function buildIfStale() {
  if (!existsSync(join(root, 'src'))) return;
  const inputs = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'].map((name) =>
    newest(join(root, name)),
  );
  const built = join(dist, stamp);
  if (existsSync(built) && statSync(built).mtimeMs >= Math.max(...inputs)) return;
  const started = Date.now();
  process.stderr.write('Building …\n');
  // Built aside and put in place whole: another process may run what is there, or build at the same time.
  const draft = `${dist}.${process.pid}`;
  const compiler = createRequire(join(root, 'package.json')).resolve('typescript/bin/tsc');
  // Types are checked by `npm run types` and `npm run build`; here that would double the time.
  const options = [
    '--project',
    'tsconfig.build.json',
    '--outDir',
    draft,
    '--noCheck',
    '--incremental',
    'false',
    '--tsBuildInfoFile',
    'null',
  ];
  const { status } = spawnSync(process.execPath, [compiler, ...options], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    process.stderr.write('The build failed; its messages stand above.\n');
    process.exit(1);
  }
  writeFileSync(join(draft, stamp), '');
  // What changes while it is built is newer than the build.
  utimesSync(join(draft, stamp), started / 1000, started / 1000);
  putInPlace(draft);
  process.stderr.write(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
}

function putInPlace(draft) {
  const old = `${draft}.old`;
  for (;;) {
    try {
      if (existsSync(dist)) renameSync(dist, old);
      renameSync(draft, dist);
      break;
    } catch (error) {
      // Another build came between the two steps; it is as good, and ours takes its place.
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
    }
    rmSync(old, { recursive: true, force: true });
  }
  rmSync(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildIfStale();
