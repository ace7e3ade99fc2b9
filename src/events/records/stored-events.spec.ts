import { anAction } from '../../../test/support/builders/an-action.js';
import { turnsDuring } from '../../../test/support/turns-during.js';
import { eventActionView } from './history-bounds.js';
import { storedHistory } from './stored-events.js';

describe('a long stored history', () => {
  const actions = Array.from({ length: 200 }, () => anAction());
  const stored = actions.map((action) => JSON.stringify([eventActionView(action)])).join('\u001e');
  const columns = { imported: null, importedActions: 0, actions: stored };

  it('is read in their order', async () => {
    expect(await storedHistory(columns, null)).toEqual({ actions, imported: undefined, characters: stored.length });
  });

  it.each([
    ['lists', stored],
    ['actions of one list', JSON.stringify(actions.map(eventActionView))],
  ])('is read in parts, with turns for others in between its %s (Q-1)', async (_, text) => {
    const read = (): Promise<unknown> => storedHistory({ ...columns, actions: text }, null);
    expect(await turnsDuring(read)).toBeGreaterThanOrEqual(199);
  });
});
