import type { Outcome } from './trial.js';

/** The outcomes as a table of Markdown. */
export const asTable = (outcomes: readonly Outcome[]): string =>
  [
    '| attack | outcome | look-up p99, ms: calm → attacked | look-ups of the other client |',
    '| --- | --- | ---: | ---: |',
    ...outcomes.map(({ attack, open, got, calm, attacked, faults }) => {
      const how = open === undefined ? 'FAILED' : 'not held';
      const known = open === undefined ? [] : [`open: ${open}`];
      const now = [got, ...faults.map((fault) => `${how}: ${fault}`), ...known].join('; ');
      const p99 = `${calm.p99Ms.toFixed(0)} → ${attacked.p99Ms.toFixed(0)}`;
      return `| ${attack} | ${now} | ${p99} | ${attacked.outcomes['found'] ?? 0} of ${attacked.lookUps} |`;
    }),
  ].join('\n');
