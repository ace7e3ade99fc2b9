// Tries the built program as a newcomer would: `npm run build`, then `npm start` with an empty data directory on free
// ports; pastes the printed curl lines, starts it again over the same data after a SIGKILL, within five seconds,
// runs a command beside it, and stops it with a SIGTERM to npm.
import { spawn, execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const directory = mkdtempSync(join(tmpdir(), 'matricula-smoke-'));
const run = promisify(execFile);

/** Measured here and not in the test suite: nothing else runs beside it. */
const RESTARTED_S = 5;

/** Starts the program and waits for the three curl lines that it prints. */
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
    const timer = setTimeout(() => reject(new Error(`the program did not answer within 60 s:\n${output}`)), 60_000);
    const look = (chunk) => {
      output += chunk;
      const found = output.match(/^\s*(?:TOKEN=|HEALTH_TOKEN=|curl ).*$/gm) ?? [];
      if (found.length < 3) return;
      clearTimeout(timer);
      resolve(found);
    };
    program.stdout.on('data', look);
    program.stderr.on('data', look);
    program.once('exit', (code) => reject(new Error(`the program ended with ${code}:\n${output}`)));
  });
  const seconds = (Date.now() - startedMs) / 1000;
  console.log(`answering after ${seconds.toFixed(1)} s`);
  return { program, lines, seconds };
}

async function search([token, line]) {
  const { stdout } = await run('bash', ['-c', `${token}\n${line}`]);
  const { total, results } = JSON.parse(stdout);
  if (!(total > 0) || results.length === 0) throw new Error(`the printed search found nothing: ${stdout}`);
  console.log(`the printed curl lines found ${total} records`);
  return total;
}

/** The id of the event that the last printed line notifies. */
async function notify([, , line]) {
  const { stdout } = await run('bash', ['-c', line]);
  const { id, type, actions } = JSON.parse(stdout);
  const done = (actions ?? []).map((action) => `${action.type} ${action.status}`).join(', ');
  if (type !== 'birth' || done !== 'CREATE Accepted, NOTIFY Requested, NOTIFY Accepted') {
    throw new Error(`the printed line notified no birth: ${stdout}`);
  }
  console.log('the last printed line notified a birth');
  return id;
}

/** The process of the PostgreSQL over the data directory of this run, by the file that it keeps there. */
const serverOf = (path) => Number(readFileSync(join(path, 'postgres/data/postmaster.pid'), 'utf8').split('\n', 1)[0]);

const isRunning = (pid) => existsSync(`/proc/${pid}`);

const ended = (program) => new Promise((resolve) => program.once('exit', (code, signal) => resolve(signal ?? code)));

try {
  await run('npm', ['run', 'build'], { cwd: root });
  const first = await start(process.execPath, join(root, 'dist', 'main.js'));
  const total = await search(first.lines);
  const notified = await notify(first.lines);
  const killed = ended(first.program);
  first.program.kill('SIGKILL');
  await killed;

  const second = await start('npm', 'start');
  if (second.seconds > RESTARTED_S) throw new Error(`it took more than ${RESTARTED_S} s to start after a SIGKILL`);
  if ((await search(second.lines)) !== total) throw new Error('records were lost by a SIGKILL');
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
