import type { FieldKinds } from '../../../derived/terms/data-aspect.js';
import type { Term } from '../../../derived/terms/term-kind.js';
import type { CalendarDate } from '../../../domain/calendar.js';
import type { Bounds } from './value-range.js';

/**
 * The terms of the dates from one to another, both included: days at the ends, months in between. `years` are those in
 * which there are dates.
 */
export function termsOfDates(
  { gte, lte }: Bounds<CalendarDate>,
  years: readonly string[],
  kinds: FieldKinds,
): readonly Term[] {
  const months = years
    .filter((year) => year >= gte.slice(0, 4) && year <= lte.slice(0, 4))
    .flatMap((year) => MONTHS.map((month) => `${year}-${month}`));
  return months.flatMap((month) => termsOfMonth(month, gte, lte, kinds));
}

function termsOfMonth(month: string, gte: string, lte: string, kinds: FieldKinds): readonly Term[] {
  // As text, the 31st is the last day of every month.
  const [first, last] = [`${month}-01`, `${month}-31`];
  if (last < gte || first > lte) return [];
  if (first >= gte && (last <= lte || lastDayOf(month) <= lte)) return [kinds.kind('month').term(month)];
  return DAYS.map((day) => `${month}-${day}`)
    .filter((day) => day >= gte && day <= lte)
    .map((day) => kinds.kind('day').term(day));
}

/**
 * The terms of dates that contain one of the words: a year, or a month or day of two digits. Undefined for a word that
 * no date contains.
 */
export function termsOfDatesWith(word: string, years: readonly string[], kinds: FieldKinds): readonly Term[] {
  const months = kinds.kind('month');
  if (years.includes(word)) return MONTHS.map((month) => months.term(`${word}-${month}`));
  const isMonth = MONTHS.includes(word);
  if (!DAYS.includes(word)) return [];
  return years.flatMap((year) =>
    MONTHS.map((month) =>
      isMonth && month === word ? months.term(`${year}-${month}`) : kinds.kind('day').term(`${year}-${month}-${word}`),
    ),
  );
}

const twoDigits = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => String(at + 1).padStart(2, '0'));

const MONTHS = twoDigits(12);
const DAYS = twoDigits(31);

/** The last day of a month, `YYYY-MM-DD`. */
function lastDayOf(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.toISOString().slice(0, 10);
}
