import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { aVersion, aVersionedPlace } from '../../../test/support/builders/a-versioned-place.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { placesByType } from './places-by-type.js';

const [OFFICE, CLOSED, AREA, OTHER] = [aUuid(1), aUuid(2), aUuid(3), aUuid(4)];

const office = aVersionedPlace({ id: OFFICE });
const closed = aVersionedPlace({
  id: CLOSED,
  versions: [aVersion({ name: 'Closed' }), aVersion({ effectiveFrom: '2026-09-01', status: 'inactive' })],
});
const area = aVersionedPlace({ id: AREA, kind: 'administrativeArea', locationType: null });
const other = aVersionedPlace({ id: OTHER, locationType: null });

const lists = [[area], [office, closed, other]];
const idsOf = (filter: Parameters<typeof placesByType>[1], today = '2026-08-31'): unknown[] =>
  [...placesByType(lists, filter, today as CalendarDate)].map(({ id }) => id);

describe('places by type', () => {
  it('are those of a type, with a status, with both, or all of them, areas first', () => {
    expect([
      idsOf({}),
      idsOf({ type: 'CRVS_OFFICE' }),
      idsOf({ type: 'ADMIN_STRUCTURE' }),
      idsOf({ type: 'OTHER' }),
      idsOf({ type: 'NONE' }),
      idsOf({ type: '' }),
      idsOf({ status: 'inactive' }),
      idsOf({ status: 'active', type: 'CRVS_OFFICE' }),
    ]).toEqual([[AREA, OFFICE, CLOSED, OTHER], [OFFICE, CLOSED], [AREA], [OTHER], [], [], [], [OFFICE, CLOSED]]);
  });

  it('are as they are on the day', () => {
    expect(idsOf({ status: 'inactive' }, '2026-09-01')).toEqual([CLOSED]);
  });
});
