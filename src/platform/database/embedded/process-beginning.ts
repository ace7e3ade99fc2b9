import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { errorCode } from '../../../kernel/errors/service-error.js';

/** Opaque text that distinguishes reused process numbers; undefined if there is no such process. */
export function processBeginning(pid: number): string | undefined {
  return process.platform === 'linux' ? beginningOnLinux(pid) : beginningElsewhere(pid);
}

function beginningOnLinux(pid: number): string | undefined {
  try {
    // The name in parentheses may contain anything; then come numbers: state first, start time 20th.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fields[19] ?? ''}`;
  } catch {
    return undefined;
  }
}

function beginningElsewhere(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return undefined;
  }
  if (process.platform === 'win32') return 'running';
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() || undefined;
}
