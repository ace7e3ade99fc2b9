import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Config } from '../platform/config/config.js';
import { configuration } from './services.js';
import { tell } from './output.js';

/** A start of Node opened up to 664. */
const LEAST = 1_024;
/** Database, subscribers, uploads, and the rest. */
const BESIDE_PORTS = 512;
const PORTS = 2;

const HOW = '`ulimit -n`, `LimitNOFILE` of systemd, `--ulimit nofile` of Docker';

/** Throws if a start needs more. Warns if `MAX_CONNECTIONS` does. */
export function requireOpenFiles({ MAX_CONNECTIONS }: Config, most = mostOpenFiles(limitsOfProcess())): void {
  if (most < LEAST) {
    throw new Error(
      `The system lets this process have ${most} files open, and it needs ${LEAST}: raise that (${HOW}).`,
    );
  }
  const needed = BESIDE_PORTS + PORTS * MAX_CONNECTIONS;
  if (most < needed) {
    tell(
      `The system lets this process have ${most} files open; with MAX_CONNECTIONS=${MAX_CONNECTIONS} on each port it ` +
        `may need ${needed}. Raise that (${HOW}), or lower MAX_CONNECTIONS.`,
    );
  }
}

/** From `/proc/self/limits`; infinite if absent. Node uses the hard limit. */
export function mostOpenFiles(limits: string): number {
  const [, soft] = /^Max open files +(\d+)/mu.exec(limits) ?? [];
  return soft === undefined ? Infinity : Number(soft);
}

/** Linux only. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/** `matricula serve`: the command of `npm start` and of the image. */
export const serveCommand = (): Command =>
  new Command('serve').description('run the service').action(async () => {
    const config = await configuration();
    // Before the modules of the service are loaded.
    requireOpenFiles(config);
    // Commands start in two thirds of the time without the gateway.
    const { serve } = await import('./serve.js');
    await serve(config);
  });
