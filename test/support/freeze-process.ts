import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { eventually } from './eventually.js';

/** Stops a process, and waits until none of its threads runs: on a busy machine some go on for a while. */
export async function freezeProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  // Only Linux tells of threads; elsewhere the signal has to do.
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return;
  await eventually('the process has stopped', async () => {
    const stats = (await readdir(threads)).map((thread) => readFile(join(threads, thread, 'stat'), 'utf8'));
    return (await Promise.all(stats)).every((stat) => /\) T /.test(stat));
  });
}
