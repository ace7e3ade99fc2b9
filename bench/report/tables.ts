import type { Result } from '../measure/results.js';
import type { Spread } from '../measure/spread.js';
import type { Relation } from '../service/bench-database.js';
import { COLD_TABLES, COMPARISON_TABLES } from './comparison-tables.js';
import { resultsOf, shortNumber } from './found.js';
import { ms, percent, table, whole } from './markdown.js';

const spread = (of: Spread | undefined): string => (of === undefined ? '–' : `${ms(of.p50)} / ${ms(of.p99)}`);

/** The tables of `docs/explanation/performance.md` and `bench/HISTORY.md`, by the names of their places. */
export const TABLES: Readonly<Record<string, (results: readonly Result[]) => string>> = {
  conditions: (results) => {
    const abouts = results.map(({ about }) => about);
    const each = (key: 'machine' | 'node' | 'postgres'): string =>
      [...new Set(abouts.map((about) => about[key]).filter((text) => text !== ''))].join('; ');
    const rows = results.map(({ name, records, about }) => [
      name,
      shortNumber(records),
      about.date.replace('T', ' '),
      about.commit,
      `${about.loadBefore} → ${about.loadAfter}`,
      `${about.seconds} s`,
      `\`${about.command}\``,
    ]);
    return [
      `Machine: ${each('machine')}. Node ${each('node')}. ${each('postgres')}.`,
      table(['what', 'records', 'begun (UTC)', 'commit', 'load average', 'took', 'command'], rows),
    ].join('\n\n');
  },

  searches: (results) => {
    const sizes = resultsOf(results, 'latency').filter(({ records = 0 }) => records >= 1_000_000);
    const beside = resultsOf(results, 'opensearch').at(-1)?.found.kinds ?? [];
    const kinds = [...new Set(sizes.flatMap(({ found }) => found.map(({ kind }) => kind)))];
    const rows = kinds.map((kind) => {
      const compared = beside.find((each) => each.kind === kind);
      const times = sizes.map(({ found }) => found.find((each) => each.kind === kind));
      const pair = (of: { p50: number; p98: number } | undefined): string =>
        of === undefined ? '–' : `${ms(of.p50)} / ${ms(of.p98)}`;
      return [
        kind,
        times[0] === undefined ? '–' : whole(times[0].matches),
        ...times.map((of) => spread(of?.ms)),
        pair(compared?.ms.matricula),
        pair(compared?.ms.openSearch),
      ];
    });
    const header = sizes.map(({ records }) => shortNumber(records));
    return table(['query', `matches at ${header[0] ?? '–'}`, ...header, '300k', 'OpenSearch'], rows);
  },

  latency: (results) => {
    const sizes = resultsOf(results, 'latency');
    const kinds = [...new Set(sizes.flatMap(({ found }) => found.map(({ kind }) => kind)))];
    const rows = kinds.map((kind) => [
      kind,
      ...sizes.flatMap(({ found }) => {
        const of = found.find((each) => each.kind === kind);
        return of === undefined ? ['–', '–'] : [whole(of.matches), `${spread(of.ms)} (${of.ms.runs})`];
      }),
    ]);
    const header = sizes.flatMap(({ records }) => [`${shortNumber(records)}: matches`, 'p50 / p99 ms (runs)']);
    return table(['query', ...header], rows);
  },

  points: (results) =>
    table(
      [
        'look-up',
        'records',
        'HTTP p50 / p99 ms',
        'SQL alone p50 / p99 ms',
        'HTTP, 16 at a time',
        'bare HTTP',
        'SQL alone',
        'share',
      ],
      resultsOf(results, 'points').flatMap(({ records, found }) =>
        found.map(({ kind, overHttp, sqlAlone, bareHttp, share }) => [
          kind,
          shortNumber(records),
          spread(overHttp.alone),
          spread(sqlAlone.alone),
          `${whole(overHttp.perSecond)}/s`,
          bareHttp === undefined ? '–' : `${whole(bareHttp.perSecond)}/s`,
          `${whole(sqlAlone.perSecond)}/s`,
          percent(share),
        ]),
      ),
    ),

  mixed: (results) =>
    table(
      ['records', 'callers', 'searches/s', 'p50 ms', 'p95 ms', 'p99 ms', '5xx', 'other errors', 'RSS MB'],
      resultsOf(results, 'mixed').flatMap(({ records, found }) =>
        found.map((load) => [
          shortNumber(records),
          load.callers,
          whole(load.searchesPerSecond),
          ms(load.ms.p50),
          ms(load.ms.p95),
          ms(load.ms.p99),
          load.serverErrors,
          load.otherErrors,
          load.memory,
        ]),
      ),
    ),

  paging: (results) =>
    table(
      ['records', 'depth', 'by offset p50 / p99 ms', 'by cursor p50 / p99 ms'],
      resultsOf(results, 'paging').flatMap(({ records, found }) =>
        found.map(({ depth, byOffset, byCursor }) => [
          shortNumber(records),
          whole(depth),
          spread(byOffset),
          spread(byCursor),
        ]),
      ),
    ),

  writes: (results) =>
    table(
      ['records', 'what', 'callers', 'written/s', 'p50 / p99 ms'],
      resultsOf(results, 'writes').flatMap(({ records, found }) =>
        found.map(({ what, callers, perSecond, ms: of }) => [
          shortNumber(records),
          what,
          callers,
          whole(perSecond),
          spread(of),
        ]),
      ),
    ),

  import: (results) =>
    table(
      ['records', 'MB of NDJSON', 'seconds', 'records/s', 'peak RSS MB', 'RSS MB at each tenth'],
      resultsOf(results, 'import').map(({ records, found }) => [
        shortNumber(records),
        whole(found.megabytes),
        whole(found.seconds),
        whole(found.recordsPerSecond),
        whole(found.peakMemory),
        found.memory.join(' '),
      ]),
    ),

  sizes: (results) => {
    const sizes = resultsOf(results, 'sizes');
    const names = [...new Set(sizes.toReversed().flatMap(({ found }) => found.map(({ name }) => name)))].slice(0, 20);
    const megabytes = (found: readonly Relation[], name: string): string => {
      const relation = found.find((each) => each.name === name);
      return relation === undefined ? '–' : whole(relation.megabytes);
    };
    return table(
      ['table or index', ...sizes.map(({ records }) => `${shortNumber(records)}: MB`)],
      [
        ...names.map((name) => [name, ...sizes.map(({ found }) => megabytes(found, name))]),
        ['all', ...sizes.map(({ found }) => whole(found.reduce((sum, of) => sum + of.megabytes, 0)))],
      ],
    );
  },

  fuzzy: (results) =>
    table(
      ['words', 'searched', 'recall', 'precision', 'expansion p50 / p99 ms', 'brute force p50 ms', 'dictionary MB'],
      resultsOf(results, 'fuzzy').map(({ found }) => [
        whole(found.words),
        found.searched,
        found.recall.toFixed(3),
        found.precision.toFixed(3),
        spread(found.ms),
        ms(found.bruteForceMs.p50),
        found.megabytes.toFixed(0),
      ]),
    ),

  start: (results) =>
    table(
      ['records', 'ready after s', 'fuzzy search answered after s', 'processor s', 'RSS MB'],
      resultsOf(results, 'start').map(({ records, found }) => [
        shortNumber(records),
        found.readySeconds.toFixed(1),
        found.fuzzySeconds.toFixed(1),
        found.processorSeconds.toFixed(1),
        whole(found.megabytes),
      ]),
    ),

  memory: (results) =>
    table(
      ['records', 'minutes', 'searches', '5xx', 'RSS MB before', 'after each tenth', 'peak'],
      resultsOf(results, 'memory').map(({ records, found }) => [
        shortNumber(records),
        found.minutes,
        whole(found.searches),
        found.serverErrors,
        found.before,
        found.tenths.join(' '),
        found.peak,
      ]),
    ),

  soak: (results) =>
    table(
      [
        'records',
        'minutes',
        'searches compared',
        'with many matches',
        'counted in answers',
        'records written',
        'differences',
      ],
      resultsOf(results, 'soak').map(({ records, found }) => [
        shortNumber(records),
        found.minutes,
        whole(found.checks),
        whole(found.manyMatches),
        found.inAnswers === undefined ? '–' : whole(found.inAnswers),
        whole(found.written),
        found.differences.length,
      ]),
    ),

  ...COMPARISON_TABLES,
  ...COLD_TABLES,
};
