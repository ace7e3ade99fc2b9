import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { faultsOf } from '../../../test/support/faults-of.js';
import { readDto } from '../../platform/dto/read-dto.js';
import { writeCursor } from '../../platform/dto/page.js';
import { DeliveriesQueryDto, ReplayDto } from './deliveries.dto.js';

describe('DeliveriesQueryDto', () => {
  const cursor = { position: `1767323045000001/${aUuid(7)}` };

  it('reads which deliveries are asked for', async () => {
    expect(await readDto(DeliveriesQueryDto, {})).toEqual({ limit: 100 });
    expect(await readDto(DeliveriesQueryDto, { status: 'dead', limit: '7', cursor: writeCursor(cursor) })).toEqual({
      status: 'dead',
      limit: 7,
      cursor,
    });
  });

  it('names every fault', async () => {
    const query = { status: 'lost', limit: '0', cursor: 'mine', page: '2' };
    expect(await faultsOf(readDto(DeliveriesQueryDto, query))).toEqual([
      'page: is not a known key; allowed: status, limit, cursor',
      'status: must be one of the following values: pending, delivered, dead, dropped',
      'limit: must be a whole number from 1 to 1000',
      'cursor: must be one that an answer gave out',
    ]);
  });

  it('refuses what is given twice', async () => {
    const text = writeCursor(cursor);
    const query = { status: ['dead', 'dead'], limit: ['1', '2'], cursor: [text, text] };
    expect(await faultsOf(readDto(DeliveriesQueryDto, query))).toEqual([
      'status: must be one of the following values: pending, delivered, dead, dropped',
      'limit: must be a whole number from 1 to 1000',
      'cursor: must be one that an answer gave out',
    ]);
  });
});

describe('ReplayDto', () => {
  const since = '2026-01-02T03:04:05Z';
  const until = '2026-01-03T00:00:00.5Z';

  it('reads the time and the status, which is dead unless another is given', async () => {
    const time = { since: '2026-01-02T03:04:05.000Z', until: '2026-01-03T00:00:00.500Z' };
    expect(await readDto(ReplayDto, { since, until })).toEqual({ ...time, status: 'dead' });
    expect(await readDto(ReplayDto, { since, until, status: 'delivered' })).toEqual({ ...time, status: 'delivered' });
    expect(await readDto(ReplayDto, { since, until: since })).toMatchObject({ until: time.since });
  });

  const DATE_TIME = 'must be a date-time in UTC such as 2026-01-02T03:04:05Z';
  it.each([
    [undefined, ['body: is required']],
    [[], ['body: must be an object']],
    [{}, ['since: is required', 'until: is required']],
    [{ since: '2026-01-02', until: 5 }, [`since: ${DATE_TIME}`, `until: ${DATE_TIME}`]],
    [{ since: 'x', until }, [`since: ${DATE_TIME}`]],
    [{ since: until, until: since }, ['until: must not be before `since`']],
    [
      { since, until, status: 'all', x: 1 },
      [
        'x: is not a known key; allowed: since, until, status',
        'status: must be one of the following values: pending, delivered, dead, dropped',
      ],
    ],
    [
      { since, until, status: null },
      ['status: must be one of the following values: pending, delivered, dead, dropped'],
    ],
  ])('names every fault of %j', async (body, issues) => {
    expect(await faultsOf(readDto(ReplayDto, body))).toEqual(issues);
  });
});
