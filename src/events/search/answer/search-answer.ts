import { KIB } from '../../../kernel/domain/bytes.js';
import type { SearchResult } from './search-result.js';
import type { Write } from './streamed-body.js';

/** In characters: smaller answers are sent together with their head. */
const SMALL = 16 * KIB;

/**
 * JSON, as text or in UTF-8. Parsing the stored records would halve the throughput. They are encoded one by one: one
 * letter beyond Latin-1 doubles the memory of a text.
 */
export function searchAnswer({ total, bodies }: Pick<SearchResult, 'total' | 'bodies'>): string | Buffer {
  const characters = bodies.reduce((sum, body) => sum + body.length, 0);
  if (characters < SMALL) return `${BEGIN}${bodies.join(',')}${end(total)}`;
  const parts = bodies.map((body, at) => Buffer.from(at === 0 ? body : `,${body}`));
  return Buffer.concat([Buffer.from(BEGIN), ...parts, Buffer.from(end(total))]);
}

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
