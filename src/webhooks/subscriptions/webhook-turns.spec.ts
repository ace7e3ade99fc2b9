import { HungUp } from '../../platform/queue/hang-up.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { WebhookTurns } from './webhook-turns.js';

const [ONE, OTHER, THIRD] = ['one', 'other', 'third'] as readonly string[] as readonly [Uuid, Uuid, Uuid];

let everybody: AbortController;
beforeEach(() => {
  everybody = new AbortController();
});
// Whoever still waits would be refused ten seconds later, when another test runs.
afterEach(() => {
  everybody.abort(new HungUp());
});

describe('turns for webhooks', () => {
  /** Somebody asks for a turn, whatever comes of it. */
  const ask = (turns: WebhookTurns, client: Uuid, work: () => Promise<void>): void => {
    turns.run(client, everybody.signal, work).catch(() => undefined);
  };
  const never = (): Promise<void> => new Promise(() => undefined);
  const now = (): Promise<string> => Promise.resolve('done');

  it('are one of each client at a time, and leave connections to everybody else', async () => {
    const turns = new WebhookTurns({ DATABASE_POOL_SIZE: 4 });
    const began: string[] = [];
    const begin = (name: string) => (): Promise<void> => {
      began.push(name);
      return never();
    };
    ask(turns, ONE, begin('first'));
    ask(turns, ONE, begin('second'));
    expect(await turns.run(OTHER, everybody.signal, now)).toBe('done');
    ask(turns, OTHER, begin('of another'));
    ask(turns, THIRD, begin('one too many'));
    await new Promise(setImmediate);
    expect(began).toEqual(['first', 'of another']);
  });

  it('are refused where too many wait, and leave faults of the work as they are', async () => {
    const turns = new WebhookTurns({ DATABASE_POOL_SIZE: 2 });
    const fault = new Error('a fault');
    await expect(turns.run(ONE, everybody.signal, () => Promise.reject(fault))).rejects.toBe(fault);
    for (let at = 0; at < 201; at++) ask(turns, ONE, never);
    await expect(turns.run(ONE, everybody.signal, never)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      refusal: 'webhooks-waiting',
    });
  });

  it('are eight of a client at a time for the verification of callbacks, beside those for the database', async () => {
    const turns = new WebhookTurns({ DATABASE_POOL_SIZE: 2 });
    let began = 0;
    const callbackThatHangs = (): Promise<void> => {
      began += 1;
      return never();
    };
    for (let at = 0; at < 20; at += 1) {
      turns.verify(ONE, everybody.signal, callbackThatHangs).catch(() => undefined);
    }
    await new Promise(setImmediate);
    expect([
      began,
      await turns.verify(OTHER, everybody.signal, now),
      await turns.run(ONE, everybody.signal, now),
    ]).toEqual([8, 'done', 'done']);
  });

  it('are left at once by whoever hangs up, who is refused nothing', async () => {
    const turns = new WebhookTurns({ DATABASE_POOL_SIZE: 2 });
    ask(turns, ONE, never);
    const client = new AbortController();
    const left = turns.run(ONE, client.signal, now);
    client.abort(new HungUp());
    await expect(left).rejects.toBeInstanceOf(HungUp);
    await expect(turns.run(OTHER, client.signal, now)).rejects.toBeInstanceOf(HungUp);
  });
});
