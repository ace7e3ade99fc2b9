// Commands of the built program, one after the other in one process: half of the time of most is that of loading it.
// Each has the environment that it is given and nothing else; a command that ends the process ends this one.
import { runCommandLine } from '../../dist/cli/command-line.js';

const exit = process.exit.bind(process);
const said = { stdout: '', stderr: '' };
for (const stream of ['stdout', 'stderr']) {
  process[stream].write = (chunk, ...more) => {
    said[stream] += String(chunk);
    const done = more.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
}
process.exit = (code = process.exitCode) => {
  process.send({ code: code ?? 0, ...said, isOver: true }, () => exit(0));
  throw new Error('the process has ended');
};
process.on('disconnect', () => exit(0));
process.on('message', async ({ arguments_, env }) => {
  Object.assign(said, { stdout: '', stderr: '' });
  process.env = env;
  process.exitCode = undefined;
  await runCommandLine(arguments_).then(
    () => process.send({ code: process.exitCode ?? 0, ...said }),
    () => undefined,
  );
});
