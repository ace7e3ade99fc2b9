import { readFileSync } from 'node:fs';

import type { Config } from '../platform/config/config.js';
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
