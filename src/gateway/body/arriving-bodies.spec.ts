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

  begin(...names: readonly string[]): void {
    for (const name of names) {
      const request = new IncomingMessage(new Socket());
      this.requests.set(name, request);
      void readWhole(request, 1_000, (refuse) => this.arriving.begin(name.slice(0, 1), refuse))
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
    sending.begin('a1', 'a2', 'b1', 'a3');
    await sending.send(80, ['a1', 'b1', 'a2']);
    expect(sending.outcomes).toEqual({});
    await sending.send(80, ['b1']);
    expect(sending.outcomes).toEqual({ a2: expect.objectContaining(GAVE_WAY) as unknown });
    await sending.send(20, ['a1', 'b1', 'a3'], true);
    expect(sending.outcomes).toMatchObject({ a1: 100, b1: 180, a3: 20 });
  });

  it('leave their room when they have come, and when their client hangs up', async () => {
    const sending = new Sending(new ArrivingBodies(300));
    sending.begin('a1', 'a2');
    await sending.send(140, ['a1', 'a2']);
    await sending.send(10, ['a1'], true);
    await sending.hangUp('a2');
    sending.begin('a3', 'a4');
    await sending.send(150, ['a3', 'a4'], true);
    expect(sending.outcomes).toMatchObject({ a1: 150, a3: 150, a4: 150 });
  });

  it('have room one by one, whatever their size', async () => {
    const sending = new Sending(new ArrivingBodies(300));
    sending.begin('a1');
    await sending.send(400, ['a1']);
    await sending.send(400, ['a1'], true);
    expect(sending.outcomes).toEqual({ a1: 800 });
  });
});
