import { readFileSync } from 'node:fs';

import type { Config } from '../platform/config/config.js';
import { tell } from './output.js';

/** Node reads the program's files many at a time: up to 664 were seen open during a start. */
const LEAST = 1_024;
/** Connections to the database and to subscribers, files of uploads, and what the process has anyway. */
const BESIDE_PORTS = 512;
const PORTS = 2;

const HOW = '`ulimit -n`, `LimitNOFILE` of systemd, `--ulimit nofile` of Docker';

/**
 * Throws where the system lets this process have too few files open: its start would end with a message about any of
 * its own files. Tells where they are too few for all connections that the ports may hold.
 */
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

/** As `/proc/self/limits` says it; infinite where nothing does. Node raises the soft limit to the hard one. */
export function mostOpenFiles(limits: string): number {
  const [, soft] = /^Max open files +(\d+)/mu.exec(limits) ?? [];
  return soft === undefined ? Infinity : Number(soft);
}

/** Linux alone has it. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
