import type { ImportFound } from '../load/load.js';
import type { Result } from '../measure/results.js';
import type { KindFound } from '../search/latency.js';
import type { MemoryFound } from '../search/memory-under-load.js';
import type { LoadFound } from '../search/mixed-load.js';
import type { DepthFound } from '../search/paging.js';
import type { PointFound } from '../search/point-look-ups.js';
import type { WritesFound } from '../search/writes.js';
import type { FuzzyFound } from '../fuzzy/quality.js';
import type { ColdFound } from '../opensearch/cold.js';
import type { ComparisonFound } from '../opensearch/compare.js';
import type { Relation } from '../service/bench-database.js';
import type { StartFound } from '../service/service.js';
import type { SoakFound } from '../soak/soak.js';

/** What each kind of result holds. */
export interface Found {
  readonly import: ImportFound;
  readonly start: StartFound;
  readonly sizes: readonly Relation[];
  readonly latency: readonly KindFound[];
  readonly points: readonly PointFound[];
  readonly mixed: readonly LoadFound[];
  readonly paging: readonly DepthFound[];
  readonly writes: readonly WritesFound[];
  readonly memory: MemoryFound;
  readonly fuzzy: FuzzyFound;
  readonly soak: SoakFound;
  readonly opensearch: ComparisonFound;
  readonly opensearch_cold: ColdFound;
}

/** The results of one name, the smallest number of records first. */
export const resultsOf = <Name extends keyof Found>(
  results: readonly Result[],
  name: Name,
): readonly Result<Found[Name]>[] => results.filter((result) => result.name === name) as Result<Found[Name]>[];

/** `1000000` as `1M`, `100000` as `100k`. */
export function shortNumber(number: number | undefined): string {
  if (number === undefined) return '–';
  if (number >= 1_000_000) return `${Number((number / 1_000_000).toPrecision(3))}M`;
  return number >= 1_000 ? `${Number((number / 1_000).toPrecision(3))}k` : String(number);
}
