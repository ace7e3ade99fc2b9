import type { Uuid } from '../domain/uuid.js';
import { WebhookTurns } from './webhook-turns.js';

const [ONE, OTHER, THIRD] = ['one', 'other', 'third'] as readonly string[] as readonly [Uuid, Uuid, Uuid];

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
    void turns.run(ONE, begin('first'));
    void turns.run(ONE, begin('second'));
    expect(await turns.run(OTHER, now)).toBe('done');
    void turns.run(OTHER, begin('of another'));
    void turns.run(THIRD, begin('one too many'));
    await new Promise(setImmediate);
    expect(began).toEqual(['first', 'of another']);
  });

  it('are refused where too many wait, and leave faults of the work as they are', async () => {
    const turns = new WebhookTurns({ DATABASE_POOL_SIZE: 2 });
    const fault = new Error('a fault');
    await expect(turns.run(ONE, () => Promise.reject(fault))).rejects.toBe(fault);
    const waiting = Array.from({ length: 202 }, () => turns.run(ONE, never));
    await expect(waiting[201]).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', refusal: 'webhooks-waiting' });
  });
});
