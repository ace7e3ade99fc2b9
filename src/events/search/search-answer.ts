import type { SearchResult } from './search-result.js';
import type { Write } from './streamed-body.js';

/** The answer's JSON text. Records are put in as they are kept: parsing them to write them again would halve the throughput. */
export const searchAnswer = ({ total, bodies }: Pick<SearchResult, 'total' | 'bodies'>): string =>
  `${BEGIN}${bodies.join(',')}${end(total)}`;

/** The same text, written while the records are read. */
export async function writeSearchAnswer(
  total: number,
  bodies: AsyncIterable<readonly string[]>,
  write: Write,
): Promise<void> {
  let before = BEGIN;
  for await (const some of bodies) {
    await write(`${before}${some.join(',')}`);
    before = ',';
  }
  await write(`${before === BEGIN ? BEGIN : ''}${end(total)}`);
}

const BEGIN = '{"results":[';

const end = (total: number): string => `],"total":${total}}`;
