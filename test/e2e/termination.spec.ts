import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { HANG_MS } from '../support/time-outs.js';

const TERMINATION = pathToFileURL(resolve('dist/src/cli/termination.js')).href;

/** A program that is asked to end while it passes from its start to its service. */
const PROGRAM = `
  const serving = setInterval(() => {}, 1000);
  const { askedToEnd, endAtOnce, onTermination } = await import('${TERMINATION}');
  onTermination(endAtOnce);
  process.kill(process.pid, 'SIGTERM');
  await askedToEnd();
  clearInterval(serving);
  console.log('asked');
`;

describe('SIGTERM', () => {
  it('is heeded when it arrives in the moment in which a start becomes a service', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      // A lost signal leaves the program running.
      timeout: HANG_MS,
    });
    expect(stdout).toBe('asked\n');
  });
});
