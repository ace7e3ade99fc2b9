import { runCommandLine } from './cli/command-line.js';

await runCommandLine(['serve', ...process.argv.slice(2)]);
