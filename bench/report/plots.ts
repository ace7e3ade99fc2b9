import type { EChartsOption } from 'echarts';
import { init } from 'echarts';

import type { Result } from '../measure/results.js';
import { resultsOf, shortNumber } from './found.js';

const SIZE = { width: 760, height: 440 };
const FONT = { fontFamily: 'sans-serif', color: '#333' };
/** One for each of the kinds that are shown. */
const COLORS = [
  '#4e79a7',
  '#f28e2b',
  '#59a14f',
  '#e15759',
  '#b07aa1',
  '#edc948',
  '#76b7b2',
  '#ff9da7',
  '#9c755f',
  '#333333',
];
const GRID = { left: 70, right: 30, top: 70, bottom: 60 };
/** Of the 22 kinds, those whose cost is shown against the number of records. */
const SHOWN_BY_SIZE = ['01', '04', '05', '06', '08', '11', '15', '17', '20', '21'];

/** The plots of `docs/explanation/performance.md`, each an SVG, by the names of their files. */
export function plotsOf(results: readonly Result[]): ReadonlyMap<string, string> {
  const options: readonly (readonly [name: string, option: EChartsOption])[] = [
    ['latency-by-matches', latencyByMatches(results)],
    ['throughput-by-callers', throughputByCallers(results)],
    ['cost-by-records', costByRecords(results)],
  ];
  return new Map(options.map(([name, option]) => [`${name}.svg`, svgOf(option)]));
}

function svgOf(option: EChartsOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...SIZE });
  chart.setOption({ animation: false, backgroundColor: '#fff', textStyle: FONT, grid: GRID, ...option });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

const titled = (text: string): EChartsOption => ({
  title: { text, left: 'center', top: 8, textStyle: { ...FONT, fontSize: 15 } },
  legend: { top: 36, textStyle: FONT },
});

const axis = (name: string, type: 'log' | 'value' = 'log') => ({
  type,
  name,
  nameLocation: 'middle' as const,
  nameGap: 38,
  minorSplitLine: { show: false },
  splitLine: { lineStyle: { color: '#e5e5e5' } },
});

function latencyByMatches(results: readonly Result[]): EChartsOption {
  return {
    ...titled('One search over HTTP: page of 100 and exact total'),
    xAxis: axis('records that match (0 drawn as 1)'),
    yAxis: axis('milliseconds'),
    series: resultsOf(results, 'latency').map(({ records, found }) => ({
      name: `${shortNumber(records)} records`,
      type: 'scatter' as const,
      symbolSize: 5,
      itemStyle: { opacity: 0.55 },
      data: found.flatMap(({ points }) => points.map(([matches, ms]) => [Math.max(1, matches), ms])),
    })),
  };
}

function throughputByCallers(results: readonly Result[]): EChartsOption {
  const sizes = resultsOf(results, 'mixed');
  const line = (name: string, yAxisIndex: number, dashed: boolean, data: (readonly [number, number])[]) => ({
    name,
    type: 'line' as const,
    yAxisIndex,
    symbolSize: 7,
    lineStyle: { type: dashed ? ('dashed' as const) : ('solid' as const) },
    data: data.map(([x, y]) => [x, y]),
  });
  return {
    ...titled('Operational mix'),
    grid: { ...GRID, right: 70 },
    xAxis: { ...axis('callers', 'value'), minInterval: 1 },
    yAxis: [
      axis('searches a second', 'value'),
      { ...axis('p99, milliseconds (dashed)', 'value'), splitLine: { show: false } },
    ],
    series: sizes.flatMap(({ records, found }) => [
      line(
        `${shortNumber(records)}: searches/s`,
        0,
        false,
        found.map((load) => [load.callers, load.searchesPerSecond]),
      ),
      line(
        `${shortNumber(records)}: p99`,
        1,
        true,
        found.map((load) => [load.callers, load.ms.p99]),
      ),
    ]),
  };
}

function costByRecords(results: readonly Result[]): EChartsOption {
  const sizes = resultsOf(results, 'latency');
  const kinds = [...new Set(sizes.flatMap(({ found }) => found.map(({ kind }) => kind)))];
  return {
    ...titled('Median of a search against the number of records'),
    color: COLORS,
    grid: { ...GRID, right: 280 },
    legend: { orient: 'vertical', left: 500, top: 70, textStyle: { ...FONT, fontSize: 11 } },
    xAxis: { ...axis('records'), min: 'dataMin', max: 'dataMax' },
    yAxis: axis('milliseconds'),
    series: kinds
      .filter((kind) => SHOWN_BY_SIZE.some((key) => kind.startsWith(key)))
      .map((kind) => ({
        name: kind,
        type: 'line' as const,
        symbolSize: 7,
        data: sizes.flatMap(({ records, found }) => {
          const p50 = found.find((each) => each.kind === kind)?.ms.p50;
          return p50 === undefined || records === undefined ? [] : [[records, p50]];
        }),
      })),
  };
}
