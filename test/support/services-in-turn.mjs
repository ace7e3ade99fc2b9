// The built service, time and again in one process: most of the processor time of a start goes into loading it. Each has
// the environment that it is given and nothing else; one that cannot start ends the process.
import { runCommandLine } from '../../dist/cli/command-line.js';

process.on('disconnect', () => process.exit());
process.on('message', async (env) => {
  process.env = env;
  process.exitCode = undefined;
  await runCommandLine(['serve']);
  process.stdout.write(`ended ${process.exitCode ?? 0}\n`);
});
