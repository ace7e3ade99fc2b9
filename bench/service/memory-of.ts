import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Memory {
  /** Megabytes of RAM that the process has now. */
  readonly now: number;
  /** The most that it ever had; where the system does not say so, what it has now. */
  readonly peak: number;
}

/** The resident memory of a process; undefined when it has ended. */
export function memoryOf(pid: number): Memory | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (key: string): number => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
    const [now, peak] = [megabytes('VmRSS'), megabytes('VmHWM')];
    return Number.isNaN(now) ? undefined : { now, peak };
  } catch {
    return memoryByPs(pid);
  }
}

function memoryByPs(pid: number): Memory | undefined {
  try {
    const now = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;
    return { now, peak: now };
  } catch {
    return undefined;
  }
}
