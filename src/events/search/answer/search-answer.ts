import { KIB } from '../../../kernel/domain/bytes.js';
import type { SearchResult } from './search-result.js';
import type { Write } from './streamed-body.js';

/** Answers with fewer characters are sent together with their head, as one text. */
const SMALL = 16 * KIB;

/**
 * The answer's JSON text, as text or in UTF-8. Records are inserted as stored: parsing and serializing them again would
 * halve the throughput. Records of a page are encoded one by one: as one text, all of them would take twice the memory
 * for one letter beyond Latin-1, and several times as long.
 */
export function searchAnswer({ total, bodies }: Pick<SearchResult, 'total' | 'bodies'>): string | Buffer {
  const characters = bodies.reduce((sum, body) => sum + body.length, 0);
  if (characters < SMALL) return `${BEGIN}${bodies.join(',')}${end(total)}`;
  const parts = bodies.map((body, at) => Buffer.from(at === 0 ? body : `,${body}`));
  return Buffer.concat([Buffer.from(BEGIN), ...parts, Buffer.from(end(total))]);
}

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
