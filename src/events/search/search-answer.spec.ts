import { Readable } from 'node:stream';

import { searchAnswer, writeSearchAnswer } from './search-answer.js';

const RECORDS = ['{"id":"a"}', '{"id": "b\\u2028"}', '{"id":"c"}'];

async function written(total: number, bodies: readonly (readonly string[])[]): Promise<string> {
  let text = '';
  await writeSearchAnswer(total, Readable.from(bodies), (more) => {
    text += more;
    return Promise.resolve();
  });
  return text;
}

describe('searchAnswer', () => {
  it('puts the records in as they are', () => {
    expect(searchAnswer({ total: 7, bodies: RECORDS })).toBe(
      '{"results":[{"id":"a"},{"id": "b\\u2028"},{"id":"c"}],"total":7}',
    );
  });

  it('is complete without records', () => {
    expect(searchAnswer({ total: 0, bodies: [] })).toBe('{"results":[],"total":0}');
  });

  it('is the same when it is written bit by bit', async () => {
    expect(await written(7, [RECORDS.slice(0, 2), RECORDS.slice(2)])).toBe(searchAnswer({ total: 7, bodies: RECORDS }));
    expect(await written(7, [RECORDS])).toBe(searchAnswer({ total: 7, bodies: RECORDS }));
    expect(await written(3, [])).toBe(searchAnswer({ total: 3, bodies: [] }));
  });
});
