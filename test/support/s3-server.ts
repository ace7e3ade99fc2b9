import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { endedWithFile } from './left-over.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { freezeProcess } from './freeze-process.js';

/** Versity's S3 gateway over a directory. It checks the signature of every request. */
const PROGRAM = 'versitygw';
const BUCKET = 'attachments';

/** A server that speaks the protocol of S3, on loopback, with an empty bucket. */
export interface S3Server {
  /** What a service is configured with. */
  readonly environment: Readonly<Record<string, string>>;
  /** How many files the bucket has, objects and parts of unfinished ones. */
  files(): Promise<number>;
  /** Lets every connection stand without an answer. */
  freeze(): Promise<void>;
  /** Answers again. */
  thaw(): void;
  stop(): Promise<void>;
}

/**
 * Whether there is a `versitygw` to start. Without one, suites that need it are skipped, but fail where `CI=true`.
 */
export function isS3ServerInstalled(): boolean {
  const installed = spawnSync(PROGRAM, ['--version']).status === 0;
  if (!installed && process.env.CI === 'true') throw new Error('versitygw is missing, and CI must have it');
  if (!installed) process.stderr.write('SKIPPED: there is no versitygw, so nothing is tested on S3\n');
  return installed;
}

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'matricula-s3-'));
  const [buckets, properties] = [join(directory, 'buckets'), join(directory, 'properties')];
  await mkdir(join(buckets, BUCKET), { recursive: true });
  await mkdir(properties);
  const port = await freePort();
  const [key, secret] = ['matricula', 'of the test'];
  const server = ['--quiet', '--port', `127.0.0.1:${port}`, '--access', key, '--secret', secret];
  const child = spawn(PROGRAM, [...server, 'posix', '--sidecar', properties, buckets], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = endedWithFile(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(directory, { recursive: true, force: true });
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await eventually('the S3 server answers', () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
  return {
    environment: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: key,
      S3_SECRET_ACCESS_KEY: secret,
    },
    files: async () => {
      const found = await readdir(join(buckets, BUCKET), { recursive: true, withFileTypes: true });
      return found.filter((one) => one.isFile()).length;
    },
    freeze: () => freezeProcess(child.pid ?? 0),
    thaw: () => void child.kill('SIGCONT'),
    stop,
  };
}
