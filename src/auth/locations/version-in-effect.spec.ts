import { aVersion } from '../../../test/support/builders/a-versioned-place.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import type { PlaceVersions } from '../../kernel/domain/location.js';
import { stateOn } from './place-versions.js';

const first = aVersion({ effectiveFrom: '2020-01-01', name: 'Ibombo Office', externalId: 'X' });
const second = aVersion({ effectiveFrom: '2026-09-01', name: 'Ibombo District Office' });
const third = aVersion({ effectiveFrom: '2030-01-01', name: 'Ibombo', status: 'inactive' });
const versions: PlaceVersions = [first, second, third];

const on = (day: string, of = versions) => stateOn(of, day as CalendarDate);

describe('the state of a place on a day', () => {
  it('is that of the latest version that has begun', () => {
    expect([on('2020-01-01'), on('2026-08-31'), on('2026-09-01'), on('2029-12-31'), on('2030-01-01')]).toEqual([
      first,
      first,
      second,
      second,
      third,
    ]);
  });

  it('has the earliest name and is inactive before the first version', () => {
    expect(on('2019-12-31')).toEqual({
      ...{ name: 'Ibombo Office', externalId: 'X', status: 'inactive' },
      effectiveFrom: '0001-01-01',
    });
  });

  it('is that of a version without a beginning on any day', () => {
    const always = aVersion();
    expect([on('0001-01-01', [always]), on('2026-01-01', [always])]).toEqual([always, always]);
  });
});
