import { spawnSync } from 'node:child_process';

/**
 * Whether a program can be run. Without it, `what` is not tested, which is said aloud; where `CI=true` that fails,
 * since `.ci/run` installs what tests need.
 */
export function isInstalled(program: string, what: string): boolean {
  const installed = spawnSync(program, ['--version']).status === 0;
  if (!installed && process.env.CI === 'true') throw new Error(`${program} is missing, and CI must have it`);
  if (!installed) process.stderr.write(`SKIPPED: there is no ${program}, so ${what} is not tested\n`);
  return installed;
}
