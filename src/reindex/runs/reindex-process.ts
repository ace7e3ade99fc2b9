import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { OnModuleDestroy } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';

import type { Actor } from '../../audit/audit-entry.js';
import { environment } from '../../config/environment.js';
import type { Uuid } from '../../domain/uuid.js';
import { ReindexRuns } from './reindex-runs.js';

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '../../cli/main.js');

/** How much of what the process says is kept for the log. */
const MOST_SAID = 4_096;

/**
 * Starts `matricula reindex` as a process of its own: it derives every record, which would keep the process of the
 * service from answering. When the service ends, so does the reindex, which has changed nothing then; the next run goes
 * on with it.
 */
@Injectable()
export class ReindexProcess implements OnModuleDestroy {
  private readonly log = new Logger(ReindexProcess.name);
  private current: { readonly child: ChildProcess; readonly closed: Promise<unknown> } | undefined;

  constructor(private readonly runs: ReindexRuns) {}

  /** Resolves once the run is registered; `ended` resolves with its end. Throws 409 while another one is running. */
  async start(by: Actor): Promise<{ readonly id: Uuid; readonly ended: Promise<void> }> {
    const id = await this.runs.begin(by);
    const ended = this.run(id).catch(async (error: unknown) => {
      this.log.warn('a reindex failed', error);
      await this.runs.fail(id, 'its process ended before it did').catch(() => undefined);
    });
    return { id, ended };
  }

  async onModuleDestroy(): Promise<void> {
    const { current } = this;
    current?.child.kill('SIGKILL');
    await current?.closed.catch(() => undefined);
  }

  private async run(id: Uuid): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, 'reindex', '--json', '--run', id], {
      env: { ...environment(), MIGRATE_ON_START: 'false' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // Its last words may arrive after it has exited.
    const closed = once(child, 'close') as Promise<[number | null]>;
    this.current = { child, closed };
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-MOST_SAID);
    });
    try {
      const [code] = await closed;
      if (code !== 0) throw new Error(`matricula reindex ended with ${String(code)}: ${said.trim()}`);
    } finally {
      this.current = undefined;
    }
  }
}
