import fc from 'fast-check';

import { hasLists, jsonInSlices } from './time-slice.js';

const notOver = { isOver: false, next: () => Promise.resolve() };

/** Values of every kind, with members and elements that JSON leaves out or writes as null. */
const aValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(
      undefined,
      null,
      NaN,
      true,
      new Date(0),
      Buffer.from('b'),
      Symbol('s'),
      () => 1,
      new Map(),
    ),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), tie('value'), { maxKeys: 4 }),
    fc.record({ toJSON: fc.constant(() => ['its own']), list: fc.array(tie('value'), { maxLength: 2 }) }),
  ),
})).value;

describe('JSON in slices', () => {
  it('is what JSON.stringify writes', async () => {
    await fc.assert(
      fc.asyncProperty(aValue, async (value) => {
        const expected = JSON.stringify(value) as string | undefined;
        expect((await jsonInSlices(value, notOver)).toString()).toBe(expected ?? 'null');
      }),
      { numRuns: 2_000 },
    );
  });

  it('lets others have their turns within an event, and within a list of events', async () => {
    const event = {
      id: 'é',
      actions: Array.from({ length: 100 }, (_, at) => ({ id: at, said: ['é'.repeat(10_000)] })),
    };
    for (const value of [event, [event], { events: [event] }]) {
      let turns = 0;
      const next = (): Promise<void> => {
        turns += 1;
        return Promise.resolve();
      };
      expect((await jsonInSlices(value, { isOver: true, next })).toString()).toBe(JSON.stringify(value));
      expect(turns).toBeGreaterThan(10);
    }
  });

  it.each<[string, unknown, boolean]>([
    ['a list', [], true],
    ['an object with one', { a: 1, b: [] }, true],
    ['an object without one', { a: { b: [] } }, false],
    ['what writes itself', Object.assign(new Date(), { a: [] }), false],
    ['bytes', Buffer.from('a'), false],
    ['a text', 'a', false],
    ['nothing', null, false],
  ])('tells whether there is a list: %s', (_, value, expected) => {
    expect(hasLists(value)).toBe(expected);
  });
});
