import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { ArrivingBodies } from './arriving-bodies.js';
import { readWhole } from './read-body.js';

const GAVE_WAY = { code: 'SERVICE_UNAVAILABLE', refusal: 'bodies-waiting', headers: { 'retry-after': '1' } };

/** Bodies that are sent, by names that begin with their callers'. */
class Sending {
  readonly outcomes: Record<string, unknown> = {};
  private readonly requests = new Map<string, IncomingMessage>();

  constructor(readonly arriving: ArrivingBodies) {}

  /** Bodies of which the head says how long they are, but for those without a length. */
  begin(lengths: Readonly<Record<string, number | undefined>>, limit = 1_000): void {
    for (const [name, length] of Object.entries(lengths)) {
      const request = new IncomingMessage(new Socket());
      if (length !== undefined) request.headers['content-length'] = String(length);
      this.requests.set(name, request);
      void readWhole(request, limit, (refuse) => this.arriving.begin(name.slice(0, 1), refuse))
        .catch((error: unknown) => error)
        .then((outcome) => (this.outcomes[name] = Buffer.isBuffer(outcome) ? outcome.length : outcome));
    }
  }

  /** So many bytes more of each; nothing more where `isLast`. */
  async send(bytes: number, names: readonly string[], isLast = false): Promise<void> {
    for (const name of names) {
      const request = this.requests.get(name);
      request?.push(Buffer.alloc(bytes));
      if (isLast) request?.push(null);
    }
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  }

  async hangUp(name: string): Promise<void> {
    this.requests.get(name)?.destroy();
    await new Promise(setImmediate);
  }
}

describe('bodies that arrive', () => {
  it('give way when there is too much of them: the latest of the caller with the most', async () => {
    const sending = new Sending(new ArrivingBodies(300));
    sending.begin({ a1: 100, a2: 160, b1: 160, a3: 20 });
    await sending.send(80, ['a1', 'b1', 'a2']);
    expect(sending.outcomes).toEqual({});
    await sending.send(60, ['b1']);
    expect(sending.outcomes).toEqual({ a2: expect.objectContaining(GAVE_WAY) as unknown });
    await sending.send(20, ['a1', 'b1', 'a3'], true);
    expect(sending.outcomes).toMatchObject({ a1: 100, b1: 160, a3: 20 });
  });

  it('leave their room when they have come, and when their client hangs up', async () => {
    const sending = new Sending(new ArrivingBodies(300));
    sending.begin({ a1: 150, a2: 200 });
    await sending.send(140, ['a1', 'a2']);
    await sending.send(10, ['a1'], true);
    await sending.hangUp('a2');
    sending.begin({ a3: 150, a4: 150 });
    await sending.send(150, ['a3', 'a4'], true);
    expect(sending.outcomes).toMatchObject({ a1: 150, a3: 150, a4: 150 });
  });

  it('have room one by one, whatever their size', async () => {
    const sending = new Sending(new ArrivingBodies(300));
    sending.begin({ a1: 800 });
    await sending.send(400, ['a1']);
    await sending.send(400, ['a1'], true);
    expect(sending.outcomes).toEqual({ a1: 800 });
  });

  it('count as what holds them: without a length that is up to twice as much', async () => {
    const sending = new Sending(new ArrivingBodies(30_000));
    sending.begin({ a1: undefined, a2: undefined }, 20_000);
    await sending.send(8_000, ['a1', 'a2']);
    await sending.send(1, ['a1']);
    expect(sending.outcomes).toEqual({});
    await sending.send(1, ['a2']);
    expect(sending.outcomes).toEqual({ a2: expect.objectContaining(GAVE_WAY) as unknown });
    await sending.send(1, ['a1'], true);
    expect(sending.outcomes).toMatchObject({ a1: 8_002 });
  });
});
