import { type Instant, parseDateTime } from '../../../src/kernel/domain/calendar.js';

/** The instant that `text` spells: `2026-01-02T03:04:05Z`. */
export function anInstant(text: string): Instant {
  const dateTime = parseDateTime(text);
  if (dateTime === undefined) throw new Error(`${text} is no date-time`);
  return dateTime.instant;
}
