import { dayIn } from './calendar.js';

it.each([
  ['UTC', '2026-08-31T23:59:59.999Z', '2026-08-31'],
  ['UTC', '2026-09-01T00:00:00.000Z', '2026-09-01'],
  ['Asia/Dhaka', '2026-08-31T18:00:00.000Z', '2026-09-01'],
  ['America/New_York', '2026-09-01T03:59:59.000Z', '2026-08-31'],
  ['UTC', '0987-01-02T00:00:00.000Z', '0987-01-02'],
])('the day in %s at %s is %s', (timezone, instant, day) => {
  expect(dayIn(timezone, new Date(instant))).toBe(day);
});
