import fc from 'fast-check';

import { parseCalendarDate, parseDateTime, parseOffsetDateTime, toInstant } from './calendar.js';

const aDay = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

describe('a calendar date', () => {
  it.each(['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '1900-02-28', '2026-04-30', '2026-12-31'])(
    '%s is a day of the calendar',
    (text) => {
      expect(parseCalendarDate(text)).toBe(text);
    },
  );

  it.each([
    ['a leap day in a common year', '2023-02-29'],
    ['a leap day in a century that has none', '1900-02-29'],
    ['a thirty-first of April', '2026-04-31'],
    ['a thirtieth of February', '2024-02-30'],
    ['month 0', '2026-00-10'],
    ['month 13', '2026-13-10'],
    ['day 0', '2026-01-00'],
    ['the year 0', '0000-01-01'],
    ['a year of five digits', '12026-01-01'],
    ['a month of one digit', '2026-1-01'],
    ['a date-time', '2026-01-01T00:00:00Z'],
    ['a line end after it', '2026-01-01\n'],
    ['space before it', ' 2026-01-01'],
    ['digits of another script', '２０２６-01-01'],
    ['no text', 20260101],
    ['null', null],
    ['nothing', undefined],
    ['a Date', new Date('2026-01-01')],
  ])('is not what has %s', (_, value) => {
    expect(parseCalendarDate(value)).toBeUndefined();
  });

  it('is every day that the platform has, and no other', () => {
    fc.assert(
      fc.property(aDay, fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }), (date, month, day) => {
        const pad = (part: number): string => String(part).padStart(2, '0');
        const text = `${date.toISOString().slice(0, 4)}-${pad(month)}-${pad(day)}`;
        const isReal = toInstantOrNone(`${text}T00:00:00.000Z`)?.startsWith(text) ?? false;
        expect(parseCalendarDate(text)).toBe(isReal ? text : undefined);
      }),
    );
  });
});

/** The platform reads the 30th of February as a day in March: the text that it returns shows this. */
function toInstantOrNone(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

describe('a date-time', () => {
  it.each([
    ['2026-01-31T08:30:15Z', '2026-01-31T08:30:15.000Z', 'second'],
    ['2026-01-31T08:30Z', '2026-01-31T08:30:00.000Z', 'second'],
    ['2026-01-31T08:30:15.1Z', '2026-01-31T08:30:15.100Z', 'millisecond'],
    ['2026-01-31T08:30:15.12Z', '2026-01-31T08:30:15.120Z', 'millisecond'],
    ['2026-01-31T08:30:15.000Z', '2026-01-31T08:30:15.000Z', 'millisecond'],
    ['2026-01-31T08:30:15.123999999Z', '2026-01-31T08:30:15.123Z', 'millisecond'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z', 'second'],
  ])('%s is %s, to the %s', (text, instant, precision) => {
    expect(parseDateTime(text)).toEqual({ instant, precision });
  });

  it.each([
    ['an offset', '2026-01-31T08:30:15+00:00'],
    ['no zone', '2026-01-31T08:30:15'],
    ['a zone in lower case', '2026-01-31T08:30:15z'],
    ['a space for the T', '2026-01-31 08:30:15Z'],
    ['hour 24', '2026-01-31T24:00:00Z'],
    ['minute 60', '2026-01-31T08:60:00Z'],
    ['second 60', '2026-12-31T23:59:60Z'],
    ['a point without a fraction', '2026-01-31T08:30:15.Z'],
    ['a fraction of a minute', '2026-01-31T08:30.5Z'],
    ['a day that is none', '2023-02-29T08:30:15Z'],
    ['the year 0', '0000-01-01T00:00:00Z'],
    ['no time', '2026-01-31'],
    ['a line end after it', '2026-01-31T08:30:15Z\n'],
    ['no text', 1_769_848_215_000],
  ])('is not what has %s', (_, value) => {
    expect(parseDateTime(value)).toBeUndefined();
  });

  it('is every instant as the platform writes it', () => {
    fc.assert(
      fc.property(aDay, (date) => {
        expect(parseDateTime(toInstant(date))).toEqual({ instant: date.toISOString(), precision: 'millisecond' });
      }),
    );
  });
});

describe('a date-time with an offset', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04+02:00', '2026-01-02T01:04:00.000Z'],
    ['2026-12-31T23:30:00.1239-01:30', '2027-01-01T01:00:00.123Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseOffsetDateTime(text)).toBe(instant);
  });

  it.each([
    '2026-01-02',
    '2026-01-02T03:04:05',
    '2026-01-02T03:04:05+0200',
    '2026-01-02T03:04:05+24:00',
    '2026-02-30T03:04:05+02:00',
    '0001-01-01T00:00:00+02:00',
    '9999-12-31T23:59:59-02:00',
    '2026-01-02T03:04:05 02:00',
    7,
    undefined,
  ])('%j is none', (value) => {
    expect(parseOffsetDateTime(value)).toBeUndefined();
  });
});
