import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { faultsOf } from '../../../test/support/faults-of.js';
import { readDto } from '../../platform/dto/read-dto.js';
import { DeliveriesQueryDto } from './deliveries-query.dto.js';
import { writeCursor } from './delivery-cursor.js';

describe('DeliveriesQueryDto', () => {
  const cursor = { createdAtMicros: '1767323045000001', id: aUuid(7) };

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
