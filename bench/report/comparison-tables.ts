import type { Result } from '../measure/results.js';
import type { ColdFound } from '../opensearch/cold.js';
import type { ComparisonFound } from '../opensearch/compare.js';
import type { Name } from '../opensearch/contenders.js';
import { NAMES } from '../opensearch/contenders.js';
import type { Times } from '../opensearch/kinds.js';
import type { LoadTimes } from '../opensearch/loads.js';
import { resultsOf } from './found.js';
import type { Cells } from './markdown.js';
import { ms, table, whole } from './markdown.js';

const HEADER: Readonly<Record<Name, string>> = {
  matricula: 'Matricula',
  openSearch: 'OpenSearch',
  behindLayer: 'behind a Node layer',
};

/**
 * The tables of the comparison with OpenSearch, by the names of their places; of the most records that were compared.
 */
export const COMPARISON_TABLES: Readonly<Record<string, (results: readonly Result[]) => string>> = {
  compared_kinds: (results) => ofLatest(results, kindsOf),
  compared_loads: (results) => ofLatest(results, loadsOf),
  compared_rest: (results) => ofLatest(results, restOf),
};

/** The same of the comparison with little memory. */
export const COLD_TABLES: typeof COMPARISON_TABLES = {
  compared_cold: (results) => tableOrNone(resultsOf(results, 'opensearch_cold').at(-1)?.found, coldOf),
};

const ofLatest = (results: readonly Result[], tableOf: (found: ComparisonFound) => string): string =>
  tableOrNone(resultsOf(results, 'opensearch').at(-1)?.found, tableOf);

const tableOrNone = <T>(found: T | undefined, tableOf: (found: T) => string): string =>
  found === undefined ? 'Not measured yet.' : tableOf(found);

const times = ({ p50, p98, most }: Times): string => `${ms(p50)} / ${ms(p98)} / ${ms(most)}`;
const known = (value: number | null): value is number => value !== null && !Number.isNaN(value);

function kindsOf({ kinds, runs, disagreements }: ComparisonFound): string {
  const rows = kinds.map(({ kind, matches, ms: of }) => [
    kind,
    whole(matches),
    ...NAMES.map((name) => times(of[name])),
    (of.matricula.p50 / of.openSearch.p50).toFixed(2),
    (of.matricula.p50 / of.behindLayer.p50).toFixed(2),
  ]);
  const header = ['query', 'matches', ...NAMES.map((name) => HEADER[name]), 'ours to OpenSearch', 'to the layer'];
  const searches = kinds.length * runs;
  const differ = new Set(disagreements.map(({ kind }) => kind));
  const agreement =
    differ.size === 0
      ? `The totals of all ${whole(searches)} searches agree.`
      : `The totals of ${disagreements.length} of ${whole(searches)} searches differ, of the kinds ${[...differ].join(', ')}.`;
  const ahead = (than: Name): number => kinds.filter(({ ms: of }) => of.matricula.p50 < of[than].p50).length;
  return [
    table(header, rows),
    `Milliseconds: p50 / p98 / longest of ${runs}. Matricula is ahead of OpenSearch in ${ahead('openSearch')} of ` +
      `${kinds.length} kinds, and in ${ahead('behindLayer')} where that is behind the layer. ${agreement}`,
  ].join('\n\n');
}

function coldOf({ kinds, runs, differences }: ColdFound): string {
  const rows = kinds.map(({ kind, matches, mostMatches, ms: of }) => [
    kind,
    `${whole(matches)}, ${whole(mostMatches)}`,
    times(of.matricula),
    times(of.openSearch),
  ]);
  return [
    table(['query', 'matches, at most', 'Matricula', 'OpenSearch'], rows),
    `Milliseconds: p50 / p98 / longest of ${runs}. The totals of ${whole(differences)} of ${whole(kinds.length * runs)} searches ` +
      'differ.',
  ].join('\n\n');
}

function loadsOf({ mix, lookUps }: ComparisonFound): string {
  const load = (of: LoadTimes): string =>
    `${whole(of.perSecond)}/s, ${ms(of.ms.p50)} / ${ms(of.ms.p98)} ms` +
    (known(of.cpuMs) ? `, ${ms(of.cpuMs)} ms of processor` : '');
  const row = (what: string, { callers, found }: typeof mix, sql: string): Cells => [
    what,
    callers,
    ...NAMES.map((name) => load(found[name])),
    sql,
  ];
  return table(
    ['load', 'callers', ...NAMES.map((name) => HEADER[name]), 'Matricula’s SQL alone'],
    [
      row('the operational mix', mix, '–'),
      ...lookUps.map((each) => row('look-ups of one record', each, `${whole(each.sqlPerSecond)}/s`)),
    ],
  );
}

function restOf(found: ComparisonFound): string {
  const { imported, indexed, diskMegabytes, memory, untilFound } = found;
  const of = (value: number | undefined | null, unit: string): string =>
    value === undefined || !known(value) ? '–' : `${whole(value)} ${unit}`;
  return table(
    ['what', 'Matricula', 'OpenSearch'],
    [
      [
        'records imported, or indexed',
        of(imported?.recordsPerSecond, 'a second'),
        of(indexed.recordsPerSecond, 'a second'),
      ],
      ['on disk', of(diskMegabytes.matricula, 'MB'), of(diskMegabytes.openSearch, 'MB')],
      [
        'memory after the loads',
        `${of(memory.matricula, 'MB')}, of them the service ${of(memory.service, 'MB')}`,
        `${of(memory.openSearch, 'MB')}; ${of(memory.behindLayer, 'MB')} with the layer`,
      ],
      [
        'from the answer to a write until a search has found it, p50 / p98 / longest of 20',
        `${times(untilFound.matricula)} ms`,
        `${times(untilFound.openSearch)} ms`,
      ],
    ],
  );
}
