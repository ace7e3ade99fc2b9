import { turnsDuring } from '../../../test/support/turns-during.js';
import { Capacities } from '../../platform/queue/capacities.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { KIB } from '../../kernel/domain/bytes.js';
import { JsonText, type Procedure } from './procedure.js';
import { TrpcCalls } from './trpc-calls.js';

const CALLER: Caller = { subject: 'one', userType: 'system', scopes: [], grants: [] };

/** The calls of a batch whose procedures answer so, and how many bytes are held for the caller. */
async function batch(answers: Readonly<Record<'event.search' | 'event.get', unknown>>, names: readonly string[]) {
  const held: number[] = [];
  const answering = (data: unknown): Procedure => ({
    kind: 'query',
    access: 'authenticated',
    only: undefined,
    run: () => Promise.resolve(data),
  });
  const procedures = {
    'event.search': answering(answers['event.search']),
    'event.get': answering(answers['event.get']),
  };
  const none = { procedures: () => ({}) };
  const calls = Reflect.construct(TrpcCalls, [
    { procedures: () => procedures },
    none,
    none,
    { hold: (_: string, bytes: number) => held.push(bytes) },
    { take: () => Promise.resolve() },
    { note: () => undefined },
    new Capacities({ DATABASE_POOL_SIZE: 4 }),
  ]) as TrpcCalls;
  const { body } = await calls.answer(
    { names: names.join(','), batch: '1', input: undefined, kind: 'query' },
    {
      caller: CALLER,
      hungUp: new AbortController().signal,
      publicAddress: '',
      sent: { writableFinished: false, destroyed: false, once: () => undefined, destroy: () => undefined },
    },
  );
  return { held, body };
}

describe('the answers to a batch', () => {
  it('are held for the caller where they are long, whatever they are made of', async () => {
    const long = 'x'.repeat(64 * KIB);
    const answers = { 'event.search': new JsonText(JSON.stringify(long)), 'event.get': long };
    const { held } = await batch(answers, ['event.search', 'event.get', 'integrations.list']);
    expect(held).toEqual([64 * KIB + 2, 64 * KIB + 2]);
  });

  it('become text one by one, with turns for others in between', async () => {
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const turns: number[] = [];
    const event = { toJSON: () => turns.push(turn) };
    const names = Array.from({ length: 20 }, () => 'event.get');
    await turnsDuring(() => batch({ 'event.search': 0, 'event.get': event }, names));
    clearImmediate(next);
    expect(new Set(turns).size).toBe(20);
  });
});
