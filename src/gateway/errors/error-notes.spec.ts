import { Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';

import { Metrics } from '../../platform/metrics/metrics.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { DatabaseServerError } from '../../platform/database/connection/database-server.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ErrorNotes } from './error.filter.js';

const withCode = (code: string): Error => Object.assign(new Error('secret detail'), { code });

describe('ErrorNotes', () => {
  const lines = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  beforeEach(() => {
    lines.mockClear();
  });
  afterAll(() => {
    jest.restoreAllMocks();
  });

  /** The lines of the log, and the counters that are not zero, once an error was noted. */
  async function noted(error: unknown, status: number): Promise<{ lines: unknown[]; counters: string[] }> {
    const counted = new Metrics();
    new ErrorNotes(new Refusals(counted)).note(error, status, 'a client');
    const metrics = await counted.registry.metrics();
    return {
      lines: lines.mock.calls.map(([line]) => line as unknown),
      counters: metrics.split('\n').filter((line) => /^matricula_refusals_total\{.* [1-9]\d*$/.test(line)),
    };
  }

  const COULD_NOT = 'request could not be served now';

  it.each<[string, string, unknown, readonly string[]]>([
    ['a budget', 'search-cost', new ServiceError('BAD_REQUEST', 'x', { refusal: 'search-cost' }), []],
    ['a standby in place of the primary', 'other-database', new DatabaseServerError('x'), [COULD_NOT]],
    ['derived data of another version', 'other-version', withCode('53M01'), [COULD_NOT]],
    ['the same through TypeORM', 'other-version', new QueryFailedError('x', [], withCode('53M01')), [COULD_NOT]],
    ['a statement over its time', 'statement-time', withCode('57014'), [COULD_NOT]],
  ])('counts what was refused for %s, and names the client', async (_, refusal, error, more) => {
    expect(await noted(error, error instanceof ServiceError ? 400 : 503)).toEqual({
      lines: [{ refusal, client: 'a client' }, ...more],
      counters: [`matricula_refusals_total{refusal="${refusal}"} 1`],
    });
  });

  it.each([
    ['a fault of the request', new ServiceError('BAD_REQUEST', 'x'), 400, []],
    ['a database that cannot be reached', withCode('ECONNREFUSED'), 503, [COULD_NOT]],
  ])('takes %s for no refusal', async (_, error, status, expected) => {
    expect(await noted(error, status)).toEqual({ lines: expected, counters: [] });
  });
});
