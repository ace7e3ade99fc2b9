import { PostingLists } from './posting-lists.js';

const CAPACITY = 1 << 12;

/** Full lists: the numbers from 0, each under itself as a key. */
function fullLists(): PostingLists {
  const lists = new PostingLists(CAPACITY);
  for (let number = 0; number < CAPACITY; number++) lists.add(number, number);
  return lists;
}

/** Two keys share a list. */
const both = (key: number): readonly number[] => [key + CAPACITY / 2, key];

const found = (lists: PostingLists, key: number): readonly number[] => [...lists.under(key)];

describe('posting lists', () => {
  it('are closed in short steps, and searched in between', () => {
    const lists = fullLists();
    const { bytes } = lists;
    const closing = lists.close();
    const between: (readonly number[])[] = [];
    while (closing.next().done !== true) between.push(found(lists, 7));
    expect(between).toEqual(Array.from({ length: CAPACITY / 2 / 64 }, () => both(7)));
    expect([0, 63, 64, CAPACITY / 2 - 1].map((key) => found(lists, key))).toEqual(
      [0, 63, 64, CAPACITY / 2 - 1].map(both),
    );
    expect(lists.bytes).toBeLessThan(0.7 * bytes);
  });

  it('take nothing more once they are being closed', () => {
    const lists = new PostingLists(CAPACITY);
    lists.close();
    expect(lists.hasRoomFor(1)).toBe(false);
    expect(() => {
      lists.add(1, 1);
    }).toThrow('These lists are full');
  });
});
