import type { DateTerm } from '../../../domain/search-request.js';

/** No time zone that was ever kept is further from UTC than this. */
const FURTHEST_ZONE_MS = 16 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Whether a range from `gte` to `lte` holds no instant, so that it must be a mistake (S-8). The zone of a calendar date
 * is not known here: beside a date-time, the two are past each other only if they are so in every zone.
 */
export function isCertainlyPast(gte: DateTerm, lte: DateTerm): boolean {
  if (gte.kind === 'date' && lte.kind === 'date') return gte.date > lte.date;
  return earliestMs(gte) > latestMs(lte);
}

const earliestMs = (term: DateTerm): number =>
  term.kind === 'date' ? Date.parse(term.date) - FURTHEST_ZONE_MS : Date.parse(term.instant);

/** The end of the day in the zone where it ends last, or of the second that a date-time without fraction names. */
function latestMs(term: DateTerm): number {
  if (term.kind === 'date') return Date.parse(term.date) + DAY_MS - 1 + FURTHEST_ZONE_MS;
  return Date.parse(term.instant) + (term.precision === 'second' ? 999 : 0);
}
