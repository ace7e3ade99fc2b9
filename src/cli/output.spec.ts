import { Socket } from 'node:net';

import { answer, tell } from './output.js';

/** A stream that is no file, wherever the output of the tests goes, and what is written to it. */
function aStream(): { readonly stream: Socket; readonly written: () => string } {
  const stream = new Socket();
  let text = '';
  stream.write = (piece: string | Uint8Array, done?: unknown): boolean => {
    text += String(piece);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  return { stream, written: () => text };
}

/** What is written to standard output and standard error meanwhile. */
async function writtenBy(work: () => Promise<void> | void): Promise<{ readonly out: string; readonly err: string }> {
  const [out, err] = [aStream(), aStream()];
  const [real, realErr] = ['stdout', 'stderr'].map((name) => Reflect.getOwnPropertyDescriptor(process, name) ?? {});
  Reflect.defineProperty(process, 'stdout', { value: out.stream, configurable: true });
  Reflect.defineProperty(process, 'stderr', { value: err.stream, configurable: true });
  try {
    await work();
  } finally {
    Object.defineProperties(process, { stdout: real ?? {}, stderr: realErr ?? {} });
  }
  return { out: out.written(), err: err.written() };
}

/** It clears a terminal, and begins a line that looks like another entry. */
const NAME = 'Clinic\u001b[2J\u009b1m\n11111111  active  Ministry\u202e';
const SHOWN = 'Clinic\\u001b[2J\\u009b1m\\u000a11111111  active  Ministry\\u202e';

describe('the answer of a command', () => {
  it('shows names as they are, and nothing that a terminal would obey', async () => {
    const lines = ['Zoë अनिता\u200d', NAME];
    expect(await writtenBy(() => answer(false, {}, lines))).toEqual({ out: `${lines[0] ?? ''}\n${SHOWN}\n`, err: '' });
  });

  it('is JSON on one line for machines', async () => {
    const { out } = await writtenBy(() => answer(true, { name: NAME }, 'unused'));
    expect([out.split('\n').length, JSON.parse(out)]).toEqual([2, { name: NAME }]);
  });
});

describe('what is told', () => {
  it('keeps its lines, and nothing else that a terminal would obey', async () => {
    const { err } = await writtenBy(() => {
      tell('first\n  second\u001b[2J');
    });
    expect(err).toBe('first\n  second\\u001b[2J\n');
  });
});
