import type { SearchResult } from './search.repository.js';

/** The answer's JSON text. Records are put in as they are kept: parsing them to write them again would halve the throughput. */
export const searchAnswer = ({ total, bodies }: SearchResult): string =>
  `{"results":[${bodies.join(',')}],"total":${total}}`;
