import { Readable } from 'node:stream';

import { searchAnswer, writeSearchAnswer } from './search-answer.js';

const RECORDS = ['{"id":"a"}', '{"id": "b\\u2028"}', '{"id":"ç, ż and 𝒳"}'];

const textOf = (total: number, bodies: readonly string[]): string => searchAnswer({ total, bodies }).toString();

async function written(total: number, bodies: readonly (readonly string[])[]): Promise<string> {
  let text = '';
  await writeSearchAnswer(total, Readable.from(bodies), (more) => {
    text += more.toString();
    return Promise.resolve();
  });
  return text;
}

describe('searchAnswer', () => {
  it('puts the records in as they are', () => {
    expect(textOf(7, RECORDS)).toBe('{"results":[{"id":"a"},{"id": "b\\u2028"},{"id":"ç, ż and 𝒳"}],"total":7}');
  });

  it('puts them in as they are where they are many', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => RECORDS[at % 3] ?? '');
    expect(textOf(1_000, many)).toBe(`{"results":[${many.join(',')}],"total":1000}`);
  });

  it('is complete without records', () => {
    expect(textOf(0, [])).toBe('{"results":[],"total":0}');
  });

  it('is the same when it is written bit by bit', async () => {
    expect(await written(7, [RECORDS.slice(0, 2), RECORDS.slice(2)])).toBe(textOf(7, RECORDS));
    expect(await written(7, [RECORDS])).toBe(textOf(7, RECORDS));
    expect(await written(3, [])).toBe(textOf(3, []));
  });
});
