import type { EChartsOption } from 'echarts';
import { init } from 'echarts';

import type { Result } from '../measure/results.js';
import { resultsOf } from './found.js';

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

function svgOf(option: EChartsOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...SIZE });
  chart.setOption({ animation: false, backgroundColor: '#fff', textStyle: FONT, grid: GRID, ...option });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

const axis = (name: string) => ({
  type: 'log' as const,
  name,
  nameLocation: 'middle' as const,
  nameGap: 38,
  minorSplitLine: { show: false },
  splitLine: { lineStyle: { color: '#e5e5e5' } },
});

/** The plot of `docs/explanation/performance.md`, as an SVG. */
export function costByRecords(results: readonly Result[]): string {
  const sizes = resultsOf(results, 'latency');
  const kinds = [...new Set(sizes.flatMap(({ found }) => found.map(({ kind }) => kind)))];
  return svgOf({
    title: {
      text: 'Median of a search against the number of records',
      left: 'center',
      top: 8,
      textStyle: { ...FONT, fontSize: 15 },
    },
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
  });
}
