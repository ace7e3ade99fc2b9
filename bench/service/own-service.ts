import { execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Where a service listens. */
export interface Urls {
  readonly publicUrl: string;
  readonly internalUrl: string;
}

type Variables = Readonly<Record<string, string>>;

/** The built program on a PostgreSQL of its own, whose data are in a directory of the benchmark. */
export class OwnService {
  private readonly environment: Variables;

  constructor(
    private readonly directory: string,
    variables: Variables = {},
  ) {
    this.environment = {
      PATH: process.env.PATH ?? '',
      DATA_DIR: directory,
      DEMO_RECORDS: '0',
      PORT: '0',
      INTERNAL_PORT: '0',
      LOG_LEVEL: 'info',
      ALLOW_LONG_TOKENS: 'true',
      ...variables,
    };
  }

  /** What a command answers. */
  matricula(...command: readonly string[]): string {
    return execFileSync(process.execPath, [resolve('dist/src/cli/main.js'), ...command], {
      env: this.environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  /** Runs the service for as long as `work` takes; `keep` leaves its data for another run. */
  async during(work: (urls: Urls) => Promise<void>, keep = false): Promise<void> {
    const child = spawn(process.execPath, [resolve('dist/src/main.js')], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const urls = await new Promise<Urls>((found) => {
      createInterface(child.stdout).on('line', (line) => {
        if (line.includes('"listening"')) found(JSON.parse(line) as Urls);
      });
    });
    try {
      await work(urls);
    } finally {
      child.kill('SIGTERM');
      child.once('exit', () => {
        if (!keep) rmSync(this.directory, { recursive: true, force: true });
      });
    }
  }
}
