import { inGroupsOf } from './in-groups-of.js';

describe('items in groups', () => {
  it('are all there, in their order', () => {
    expect(inGroupsOf(['a', 'b', 'c', 'd', 'e'], 2)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(inGroupsOf(['a', 'b', 'c', 'd'], 2)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('are one group if they are few, and none if there are none', () => {
    expect(inGroupsOf(['a'], 2)).toEqual([['a']]);
    expect(inGroupsOf([], 2)).toEqual([]);
  });
});
