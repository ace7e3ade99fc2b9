import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ClientGone } from '../errors/error-answer.js';
import { BodyStream, readWhole, tooLarge } from './read-body.js';

let request: IncomingMessage;
beforeEach(() => {
  request = new IncomingMessage(new Socket());
});
afterEach(() => {
  request.destroy();
  jest.useRealTimers();
});

const send = (...chunks: readonly (string | null)[]): void => {
  for (const chunk of chunks) request.push(chunk === null ? null : Buffer.from(chunk));
};

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it.each([
  ['its length is known', '60000'],
  ['it is not', undefined],
])('a whole body takes no more memory than its length where %s', async (_, length) => {
  if (length !== undefined) request.headers['content-length'] = length;
  const body = readWhole(request, 1_000_000);
  for (let at = 0; at < 60; at += 1) {
    request.push(Buffer.alloc(1_000));
    await new Promise(setImmediate);
  }
  request.push(null);
  const { buffer } = await body;
  expect(buffer.byteLength).toBe(60_000);
});

describe.each([
  ['readWhole', async (limitBytes: number) => (await readWhole(request, limitBytes)).toString()],
  ['BodyStream', (limitBytes: number) => textOf(new BodyStream(request, limitBytes))],
] as const)('%s', (_, read) => {
  it('yields the body up to its last allowed byte', async () => {
    const body = read(6);
    send('abc', 'def', null);
    expect(await body).toBe('abcdef');
  });

  it('fails past the limit, and leaves the rest unread', async () => {
    const body = read(5);
    send('abc', 'def');
    await expect(body).rejects.toEqual(tooLarge(5));
    expect([request.destroyed, request.isPaused()]).toEqual([false, true]);
  });

  it('fails when the client breaks off', async () => {
    const body = read(6);
    send('abc');
    request.destroy();
    await expect(body).rejects.toThrow(ClientGone);
  });

  it('fails at once when the client has broken off before', async () => {
    send('abc');
    request.destroy();
    await new Promise((resolve) => request.once('close', resolve));
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    await expect(read(6)).rejects.toThrow(ClientGone);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('fails when the body does not come', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const body = read(6);
    send('abc');
    await new Promise(setImmediate);
    jest.advanceTimersByTime(60_000);
    await expect(body).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Input validation failed',
      issues: [{ message: expect.stringMatching(/^body: must (arrive within 60 s|come at 16000 bytes)/) as string }],
      headers: { connection: 'close' },
    });
  });
});

describe('readWhole, of a body that has come with its head', () => {
  it.each(['abcdef', ''])('yields it: %j', async (text) => {
    send(...(text === '' ? [] : [text.slice(0, 3), text.slice(3)]), null);
    request.complete = true;
    const ended = new Promise((resolve) => request.once('end', resolve));
    expect((await readWhole(request, 6)).toString()).toBe(text);
    await ended;
  });

  it('fails past the limit', async () => {
    send('abcdef', null);
    request.complete = true;
    await expect(readWhole(request, 5)).rejects.toEqual(tooLarge(5));
  });
});

describe('BodyStream', () => {
  it('tells a reader that comes late of the failure', async () => {
    const stream = new BodyStream(request, 2);
    send('abc');
    await new Promise(setImmediate);
    await expect(textOf(stream)).rejects.toEqual(tooLarge(2));
  });

  it.each([
    ['stands still', 0],
    ['comes too slowly', 16],
  ])('fails when the body %s', async (_, bytes) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const read = textOf(new BodyStream(request, 1_000_000)).catch((error: unknown) => error);
    for (let second = 0; second < 60; second += 1) {
      if (bytes > 0) send('x'.repeat(bytes));
      await new Promise(setImmediate);
      jest.advanceTimersByTime(1_000);
    }
    expect(await read).toMatchObject({
      code: 'BAD_REQUEST',
      refusal: 'slow-upload',
      headers: { connection: 'close' },
    });
  });

  it('goes on while the body comes fast enough', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const read = textOf(new BodyStream(request, 10_000_000));
    for (let second = 0; second < 180; second += 1) {
      send('x'.repeat(17_000));
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      jest.advanceTimersByTime(1_000);
    }
    send(null);
    expect(await read).toHaveLength(180 * 17_000);
  });

  it.each([
    ['a steady body', [3, 3, 3, 3, 3, 3], 3],
    ['one that comes in bursts', [0, 10, 0, 0, 10, 0], 4],
    ['one that is five seconds old', [3, 3, 3, 3, 3], 3],
    ['one that has just begun', [3, 3, 3, 3], undefined],
  ])('knows how fast %s came in the last five seconds', async (_, seconds, pace) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const body = new BodyStream(request, 100).resume();
    for (const bytes of seconds) {
      if (bytes > 0) send('x'.repeat(bytes));
      await new Promise(setImmediate);
      jest.advanceTimersByTime(1_000);
    }
    expect(body.pace).toBe(pace);
  });

  it('knows no pace of a body that is not read', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const body = new BodyStream(request, 100);
    send('x');
    await new Promise(setImmediate);
    jest.advanceTimersByTime(10_000);
    expect(body.pace).toBeUndefined();
  });

  it('waits for a reader that is behind, however long', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const stream = new BodyStream(request, 6);
    send('abc');
    await new Promise(setImmediate);
    jest.advanceTimersByTime(600_000);
    send('def', null);
    expect(await textOf(stream)).toBe('abcdef');
  });
});
