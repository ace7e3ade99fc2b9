import { HungUp } from '../access/hang-up.js';
import type { Uuid } from '../domain/uuid.js';
import { WebhookTurns } from './webhook-turns.js';

const [ONE, OTHER, THIRD] = ['one', 'other', 'third'] as readonly string[] as readonly [Uuid, Uuid, Uuid];
const STAYS = new AbortController().signal;

describe('turns for webhooks', () => {
  const never = (): Promise<void> => new Promise(() => undefined);
  const now = (): Promise<string> => Promise.resolve('done');

  it('are one of each client at a time, and leave connections to everybody else', async () => {
    const turns = new WebhookTurns({ DATABASE_POOL_SIZE: 4 });
    const began: string[] = [];
    const begin = (name: string) => (): Promise<void> => {
      began.push(name);
      return never();
    };
    void turns.run(ONE, STAYS, begin('first'));
    void turns.run(ONE, STAYS, begin('second'));
    expect(await turns.run(OTHER, STAYS, now)).toBe('done');
    void turns.run(OTHER, STAYS, begin('of another'));
    void turns.run(THIRD, STAYS, begin('one too many'));
    await new Promise(setImmediate);
    expect(began).toEqual(['first', 'of another']);
  });

  it('are refused where too many wait, and leave faults of the work as they are', async () => {
    const turns = new WebhookTurns({ DATABASE_POOL_SIZE: 2 });
    const fault = new Error('a fault');
    await expect(turns.run(ONE, STAYS, () => Promise.reject(fault))).rejects.toBe(fault);
    const waiting = Array.from({ length: 202 }, () => turns.run(ONE, STAYS, never));
    await expect(waiting[201]).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', refusal: 'webhooks-waiting' });
  });

  it('are left at once by whoever hangs up, who is refused nothing', async () => {
    const turns = new WebhookTurns({ DATABASE_POOL_SIZE: 2 });
    void turns.run(ONE, STAYS, never);
    const client = new AbortController();
    const left = turns.run(ONE, client.signal, now);
    client.abort(new HungUp());
    await expect(left).rejects.toBeInstanceOf(HungUp);
    await expect(turns.run(OTHER, client.signal, now)).rejects.toBeInstanceOf(HungUp);
  });
});
