// Tries the built program as a newcomer would: `npm run build`, then `npm start` with an empty data directory on free
// ports; pastes the printed curl lines and signs in, starts it again over the same data after a SIGKILL, in less time
// than the first start took, runs a command beside it, and stops it with a SIGTERM to npm.
import { spawn, execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const directory = mkdtempSync(join(tmpdir(), 'matricula-smoke-'));
const run = promisify(execFile);

/** Starts the program and waits for the four lines that it prints. */
async function start(command, ...args) {
  const startedMs = Date.now();
  const program = spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: directory,
      PORT: '0',
      INTERNAL_PORT: '0',
      DATABASE_URL: '',
      REDIS_URL: '',
      NODE_ENV: 'development',
      DEMO_RECORDS: '200',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const lines = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the program did not answer within 120 s:\n${output}`)), 120_000);
    const look = (chunk) => {
      output += chunk;
      const found = output.match(/^\s*(?:TOKEN=|HEALTH_TOKEN=|NONCE=|curl ).*$/gm) ?? [];
      if (found.length < 4) return;
      clearTimeout(timer);
      resolve(found);
    };
    program.stdout.on('data', look);
    program.stderr.on('data', look);
    program.once('exit', (code) => reject(new Error(`the program ended with ${code}:\n${output}`)));
  });
  const seconds = (Date.now() - startedMs) / 1000;
  console.log(`answering after ${seconds.toFixed(1)} s`);
  return { program, lines, seconds, output: () => output };
}

async function search([token, line]) {
  const { stdout } = await run('bash', ['-c', `${token}\n${line}`]);
  const { total, results } = JSON.parse(stdout);
  if (!(total > 0) || results.length === 0) throw new Error(`the printed search found nothing: ${stdout}`);
  console.log(`the printed curl lines found ${total} records`);
  return total;
}

/** The id of the event that the third printed line notifies. */
async function notify([, , line]) {
  const { stdout } = await run('bash', ['-c', line]);
  const { id, type, actions } = JSON.parse(stdout);
  const done = (actions ?? []).map((action) => `${action.type} ${action.status}`).join(', ');
  if (type !== 'birth' || done !== 'CREATE Accepted, NOTIFY Requested, NOTIFY Accepted') {
    throw new Error(`the printed line notified no birth: ${stdout}`);
  }
  console.log('the third printed line notified a birth');
  return id;
}

/** Signs in as the registrar: the last printed line asks for the code, which the log tells. */
async function signIn({ lines: [, , , line], output }, total) {
  const before = output().length;
  const shell = spawn('bash', ['-c', line], { stdio: ['pipe', 'pipe', 'ignore'] });
  const answered = text(shell.stdout);
  let code;
  for (const until = Date.now() + 60_000; code === undefined && Date.now() < until; await sleep(50)) {
    [, code] =
      output()
        .slice(before)
        .match(/2fa to [^"]*: code (\d{6})/) ?? [];
  }
  shell.stdin.end(`${code ?? ''}\n`);
  const found = JSON.parse(await answered);
  if (!(found.total > 0 && found.total < total)) throw new Error(`no search of one province: ${JSON.stringify(found)}`);
  console.log(`the registrar signed in with his code, and found the ${found.total} records of his province`);
}

/** The process of the PostgreSQL over the data directory of this run, by the file that it keeps there. */
const serverOf = (path) => Number(readFileSync(join(path, 'postgres/data/postmaster.pid'), 'utf8').split('\n', 1)[0]);

/** Which cluster is in the data directory: `initdb` writes this file once. */
function clusterOf(path) {
  const { ino, mtimeMs } = statSync(join(path, 'postgres/data/PG_VERSION'));
  return `${ino} ${mtimeMs}`;
}

/** A lock or a server that an ended process left behind would be waited for longer. */
const MOST_SECONDS_MORE = 10;

const isRunning = (pid) => existsSync(`/proc/${pid}`);

const ended = (program) => new Promise((resolve) => program.once('exit', (code, signal) => resolve(signal ?? code)));

try {
  await run('npm', ['run', 'build'], { cwd: root });
  const first = await start(process.execPath, join(root, 'dist/src/main.js'));
  const total = await search(first.lines);
  const notified = await notify(first.lines);
  await signIn(first, total);
  const cluster = clusterOf(directory);
  const killed = ended(first.program);
  first.program.kill('SIGKILL');
  await killed;

  const second = await start('npm', 'start');
  if (clusterOf(directory) !== cluster) throw new Error('after a SIGKILL another cluster was made');
  // The first start made all that there is; the second one takes less, unless the machine has other work meanwhile.
  if (second.seconds > first.seconds + MOST_SECONDS_MORE)
    throw new Error('a start after a SIGKILL waits for something');
  if ((await search(second.lines)) !== total) throw new Error('records were lost by a SIGKILL');
  await signIn(second, total);
  if ((await notify(second.lines)) !== notified) throw new Error('the same notification made another event');
  const { stdout, stderr } = await run('npx', ['matricula', 'clients', 'list', '--json'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: directory, DATABASE_URL: '', NODE_ENV: 'development' },
  });
  if (/Building/.test(stderr) || !Array.isArray(JSON.parse(stdout).clients ?? JSON.parse(stdout))) {
    throw new Error(`a command beside the service built it again, or found nothing:\n${stderr}${stdout}`);
  }
  console.log('a command beside it found its clients, and built nothing');
  const server = serverOf(directory);
  if (!isRunning(server)) throw new Error('no PostgreSQL of the service was found: what follows would show nothing');
  const stopped = ended(second.program);
  second.program.kill('SIGTERM');
  const outcome = await stopped;
  if (isRunning(server)) throw new Error(`SIGTERM to npm start left its PostgreSQL behind: process ${server}`);
  if (outcome !== 0) throw new Error(`SIGTERM ended the program with ${outcome}, not with exit code 0`);
  console.log('SIGTERM ended it with exit code 0');
} finally {
  rmSync(directory, { recursive: true, force: true });
}
