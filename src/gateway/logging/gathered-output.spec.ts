import { gatheredOutput } from './gathered-output.js';

describe('the gathered output', () => {
  const written: string[] = [];
  const output = gatheredOutput({ write: (text) => void written.push(text) });

  beforeEach(() => {
    jest.useFakeTimers();
    written.length = 0;
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('writes the lines of some milliseconds at once and in order', () => {
    output.write('a\n');
    output.write('b\n');
    expect(written).toEqual([]);
    jest.advanceTimersByTime(20);
    output.write('c\n');
    jest.advanceTimersByTime(1_000);
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  it('holds back no more than some lines', () => {
    const line = `${'x'.repeat(1_023)}\n`;
    for (let at = 0; at < 100; at += 1) output.write(line);
    expect(written).toEqual([line.repeat(65)]);
    jest.advanceTimersByTime(20);
    expect(written.join('')).toBe(line.repeat(100));
  });
});
