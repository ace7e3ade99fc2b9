import { PassThrough } from 'node:stream';

import type { OutputStream } from './progress.js';
import { startProgress } from './progress.js';

const SHOW_CURSOR = '\u001b[?25h';
const HIDE_CURSOR = '\u001b[?25l';

/** A terminal that keeps what it was sent. */
function aTerminal(): { readonly stream: OutputStream; readonly sent: () => string } {
  let sent = '';
  const stream = new PassThrough().on('data', (text: Buffer) => (sent += text.toString()));
  return { stream: Object.assign(stream, { isTTY: true }), sent: () => sent };
}

describe('a progress bar', () => {
  it('gives the terminal its cursor back when the process ends in the middle', () => {
    const before = process.listeners('exit');
    const { stream, sent } = aTerminal();
    const progress = startProgress('Importing', 10, 'records', stream);
    progress.update(5);
    expect([sent().includes(HIDE_CURSOR), sent().includes(SHOW_CURSOR)]).toEqual([true, false]);
    for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(0);
    expect(sent()).toContain(SHOW_CURSOR);
    expect(process.listeners('exit')).toEqual(before);
  });

  it('leaves nothing for the end of the process once it has stopped', () => {
    const before = process.listeners('exit');
    const { stream, sent } = aTerminal();
    startProgress('Importing', 10, 'records', stream).stop();
    expect(sent()).toContain(SHOW_CURSOR);
    expect(process.listeners('exit')).toEqual(before);
  });
});

describe('a line of progress', () => {
  it.each([
    [10, /^Importing: 5\/10 bytes, \d+ bytes\/s, \d+ s left, 1 records\n$/],
    [0, /^Importing: 5 bytes, \d+ bytes\/s, 1 records\n$/],
  ])('says how much of %d there is, and nothing of that where it comes from a pipe', (total, expected) => {
    const { stream, sent } = aTerminal();
    const progress = startProgress('Importing', total, 'bytes', Object.assign(stream, { isTTY: false }));
    progress.update(5, '1 records');
    progress.stop();
    expect(sent()).toMatch(expected);
  });
});
