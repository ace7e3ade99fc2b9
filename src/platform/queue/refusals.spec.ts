import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Logger } from '@nestjs/common';

import { REFUSALS } from '../../kernel/errors/service-error.js';
import { Metrics } from '../metrics/metrics.js';
import { Refusals } from './refusals.js';

describe('Refusals', () => {
  const lines = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  let nowMs = 1_000_000;
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    lines.mockClear();
  });
  afterAll(() => {
    jest.restoreAllMocks();
  });

  it('counts each, and writes a line a second for each client with how many were not said', async () => {
    const metrics = new Metrics();
    const refusals = new Refusals(metrics);
    for (const client of ['a', 'a', 'a', 'b']) refusals.note('queue-full', client);
    nowMs += 1_000;
    refusals.note('queue-full', 'a');
    expect(lines.mock.calls.map(([fields]) => fields as unknown)).toEqual([
      { refusal: 'queue-full', client: 'a' },
      { refusal: 'queue-full', client: 'b' },
      { refusal: 'queue-full', client: 'a', before: 2 },
    ]);
    expect(await metrics.registry.metrics()).toContain('matricula_refusals_total{refusal="queue-full"} 5');
  });

  it('has a count of 0 for each from the start, so that the first one is an increase', async () => {
    const metrics = new Metrics();
    new Refusals(metrics);
    const { registry } = metrics;
    const lines = (await registry.getSingleMetricAsString('matricula_refusals_total')).split('\n').slice(2);
    expect(lines).toEqual(REFUSALS.map((refusal) => `matricula_refusals_total{refusal="${refusal}"} 0`));
  });

  it('writes on when the clock is put back', () => {
    const refusals = new Refusals();
    refusals.note('queue-full', 'a');
    nowMs += 1_000;
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    refusals.note('queue-full', 'a');
    expect(lines).toHaveBeenCalledTimes(2);
  });

  it.each(REFUSALS)('has a row for %s in the runbook', (refusal) => {
    const page = readFileSync(join(__dirname, '../../../docs/how-to/runbook.md'), 'utf8');
    const [, refusals = ''] = page.split('\n## Refusals\n');
    expect(
      refusals
        .split('\n## ')[0]
        ?.split('\n')
        .filter((line) => line.startsWith(`| \`${refusal}\``)),
    ).toHaveLength(1);
  });
});
