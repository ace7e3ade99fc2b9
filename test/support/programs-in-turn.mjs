// The built program, time and again in one process: most of the processor time of a start goes into loading it. Each
// run has the environment that it is given and nothing else. A command that ends its process has its connections cut off
// instead; a service that does so ends this one, since what it has begun goes on.
import { Socket } from 'node:net';

import { runCommandLine } from '../../dist/src/cli/command-line.js';

const exit = process.exit.bind(process);
/** What a command has written. A service writes to the streams themselves. */
let said;
for (const stream of ['stdout', 'stderr']) {
  const write = process[stream].write.bind(process[stream]);
  process[stream].write = (chunk, ...more) => {
    if (said === undefined) return write(chunk, ...more);
    said[stream] += String(chunk);
    const done = more.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
}
let isService;
/** TCP only: not the pipes to the tests. */
const connections = () =>
  process._getActiveHandles().filter((handle) => handle instanceof Socket && handle.remotePort !== undefined);
process.exit = (code = process.exitCode) => {
  if (said === undefined) exit(code);
  const left = connections();
  const answer = { code: code ?? 0, ...said };
  if (isService && left.length > 0) process.send({ ...answer, isOver: true }, () => exit(0));
  else {
    // Nobody is told of it: its pool would look for another one.
    for (const socket of left)
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
    process.send(answer);
  }
  throw new Error('the process has ended');
};
process.on('disconnect', () => exit(0));
process.on('message', async ({ arguments_, env, isHeard }) => {
  isService = arguments_[0] === 'serve';
  said = isHeard ? { stdout: '', stderr: '' } : undefined;
  process.env = env;
  process.exitCode = undefined;
  await runCommandLine(arguments_).then(
    () => {
      const code = process.exitCode ?? 0;
      if (isHeard) process.send({ code, ...said });
      // After the last line of its log, in the same stream.
      else process.stdout.write(`ended ${code}\n`);
    },
    () => undefined,
  );
});
