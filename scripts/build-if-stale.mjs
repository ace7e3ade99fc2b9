// Builds dist/ when it is missing or not made of the sources as they are, so that `npm start` works in a fresh clone
// and starts quickly afterwards. Where there are no sources (the image) there is nothing to do.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const stamp = '.built';
const inputs = ['src', 'demo', 'tsconfig.json', 'tsconfig.build.json'];

function* filesOf(path) {
  if (!statSync(path).isDirectory()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesOf(join(path, name));
}

/** What dist/ is made of: contents, since a checkout or a copy changes the times of files. */
export function sourcesDigest() {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((name) => [...filesOf(join(root, name))])) {
    if (file.endsWith('.spec.ts')) continue;
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Says of which sources the build in `directory` was made; `digest` was taken before it began. */
export function markBuilt(digest, directory = dist) {
  writeFileSync(join(directory, stamp), digest);
}

const markOf = (directory) => {
  const file = join(directory, stamp);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

function compilerOrUndefined() {
  try {
    const { resolve } = createRequire(join(root, 'package.json'));
    // Without development packages there may be a compiler, of another package's, but nothing to compile with.
    resolve('@types/node/package.json');
    return resolve('typescript/bin/tsc');
  } catch {
    return undefined;
  }
}

export function buildIfStale() {
  if (!existsSync(join(root, 'src'))) return;
  const digest = sourcesDigest();
  const built = markOf(dist);
  if (built === digest) return;
  const compiler = compilerOrUndefined();
  if (compiler === undefined) {
    if (built !== undefined) {
      process.stderr.write(
        'The sources have changed since the build, and there is no compiler: this is the older build.\n',
      );
      return;
    }
    process.stderr.write('There is no build, and no compiler to make it: run `npm ci && npm run build` first.\n');
    process.exit(1);
  }
  const started = Date.now();
  process.stderr.write('Building …\n');
  // Built aside and put in place whole: another process may run what is there, or build at the same time.
  const draft = `${dist}.${process.pid}`;
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
  markBuilt(digest, draft);
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
