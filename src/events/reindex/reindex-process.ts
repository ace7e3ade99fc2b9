import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { OnModuleDestroy } from '@nestjs/common';
import { Inject, Injectable, Logger } from '@nestjs/common';

import type { Actor } from '../../platform/audit/audit-entry.js';
import { environment } from '../../platform/config/read-config.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ReindexRuns } from './reindex-runs.js';

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '../../cli/main.js');

/** Output kept for the log, in characters. */
const MOST_SAID = 4_096;

interface Started {
  readonly id: Uuid;
  readonly ended: Promise<void>;
}

/**
 * Runs `matricula reindex` as a separate process, since it would block the service. It ends with the service, without
 * any change; the next run starts again.
 */
@Injectable()
export class ReindexProcess implements OnModuleDestroy {
  private readonly log = new Logger(ReindexProcess.name);
  private current: { readonly child: ChildProcess; readonly closed: Promise<unknown> } | undefined;
  private isStopped = false;

  constructor(@Inject(ReindexRuns) private readonly runs: Pick<ReindexRuns, 'begin' | 'fail'>) {}

  /**
   * Resolves once the run is registered; `ended` resolves with its end. Throws 409 while another one is running, and
   * 503 once the service ends.
   */
  async start(by: Actor): Promise<Started> {
    const id = await this.runs.begin(by);
    // From here on synchronous, so that the service's end cannot miss the process.
    if (this.isStopped) {
      await this.runs.fail(id, 'the service ended before it began').catch(() => undefined);
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is ending');
    }
    const ended = this.run(id).catch(async (error: unknown) => {
      this.log.warn('a reindex failed', error);
      await this.runs.fail(id, 'its process ended before it did').catch(() => undefined);
    });
    return { id, ended };
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    const { current } = this;
    current?.child.kill('SIGKILL');
    await current?.closed.catch(() => undefined);
  }

  private async run(id: Uuid): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, 'reindex', '--json', '--run', id], {
      env: { ...environment(), MIGRATE_ON_START: 'false' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // Output may arrive after `exit`.
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
