import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { withinDeadline } from './within-deadline.js';

/** Answers a moment after it is asked, and says so to a process that is too busy to read it. */
const ANSWERS = `
  const { parentPort, workerData } = require('node:worker_threads');
  const told = new Int32Array(workerData);
  parentPort.once('message', () => {
    parentPort.postMessage('the answer');
    Atomics.store(told, 0, 1);
    Atomics.notify(told, 0);
  });`;

describe('a deadline', () => {
  it('gives the answer that came in time', async () => {
    await expect(withinDeadline(120_000, 'The database', Promise.resolve('the answer'))).resolves.toBe('the answer');
  });

  it('gives an answer that came while the process was busy beyond the deadline', async () => {
    const told = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(ANSWERS, { eval: true, workerData: told.buffer });
    try {
      const answer = new Promise((resolve) => worker.once('message', resolve));
      const given = withinDeadline(10, 'The database', answer);
      worker.postMessage('ask');
      // Of what comes next, clocks are looked at before answers are read.
      await turn();
      Atomics.wait(told, 0, 0);
      const busyUntil = performance.now() + 20;
      while (performance.now() < busyUntil);
      await expect(given).resolves.toBe('the answer');
    } finally {
      await worker.terminate();
    }
  });

  it('names what did not answer', async () => {
    const never = new Promise<never>(() => undefined);
    await expect(withinDeadline(1, 'The database', never)).rejects.toThrow(
      new Error('The database did not answer within 1 ms'),
    );
  });

  it('passes on why there is no answer', async () => {
    const failed = Promise.reject(new Error('connection refused'));
    await expect(withinDeadline(120_000, 'The database', failed)).rejects.toThrow(new Error('connection refused'));
  });

  it('leaves a failure after it to nobody', async () => {
    let fail: (error: Error) => void = () => undefined;
    const failsLate = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(withinDeadline(1, 'The database', failsLate)).rejects.toThrow('The database did not answer within');
    fail(new Error('connection refused'));
    await expect(failsLate).rejects.toThrow('connection refused');
  });
});
