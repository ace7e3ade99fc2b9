import { faultsOf } from '../../../test/support/faults-of.js';
import { readDto } from '../../platform/dto/read-dto.js';
import { ConfirmationReplayDto } from './confirmations.dto.js';

describe('what a replay of confirmations is of', () => {
  const [since, until] = ['2026-01-02T03:04:05.000Z', '2026-01-03T00:00:00.500Z'];

  it('are the dead ones, of any time or of one with a beginning, an end or both', async () => {
    expect(await readDto(ConfirmationReplayDto, {})).toEqual({ status: 'dead' });
    expect(await readDto(ConfirmationReplayDto, { since })).toEqual({ since, status: 'dead' });
    expect(await readDto(ConfirmationReplayDto, { until })).toEqual({ until, status: 'dead' });
    expect(await readDto(ConfirmationReplayDto, { since, until: since })).toMatchObject({ until: since });
  });

  it('is no time that ends before it begins', async () => {
    expect(await faultsOf(readDto(ConfirmationReplayDto, { since: until, until: since }))).toEqual([
      'until: must not be before `since`',
    ]);
    expect(await faultsOf(readDto(ConfirmationReplayDto, { since: 'x', until }))).toEqual([
      'since: must be a date-time in UTC such as 2026-01-02T03:04:05Z',
    ]);
  });
});
