import type { Term } from '../../index/terms/term-kind.js';
import type { FieldKinds } from '../../index/terms/terms.js';
import { MOST_YEARS, type Years } from '../../index/terms/shapes.js';
import type { CalendarDate } from '../../../kernel/domain/calendar.js';
import type { Bounds } from './value-range.js';

/** Inclusive: days at the ends, months in between. Undefined `years` are too many to be named. */
export function termsOfDates(
  { gte, lte }: Bounds<CalendarDate>,
  years: Years,
  kinds: FieldKinds,
): readonly Term[] | undefined {
  return yearsWithin({ gte, lte }, years)
    ?.flatMap((year) => MONTHS.map((month) => `${year}-${month}`))
    .flatMap((month) => termsOfMonth(month, gte, lte, kinds));
}

/** Undefined if too many to be named. */
function yearsWithin({ gte, lte }: Bounds<CalendarDate>, years: Years): readonly string[] | undefined {
  const [first, last] = [gte.slice(0, 4), lte.slice(0, 4)];
  if (years !== 'any') return years.filter((year) => year >= first && year <= last);
  const count = Number(last) - Number(first) + 1;
  if (count > MOST_YEARS) return undefined;
  return Array.from({ length: Math.max(0, count) }, (_, at) => String(Number(first) + at).padStart(4, '0'));
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

/** For a year, or a month or day of two digits. Undefined if the years are too many to be named. */
export function termsOfDatesWith(word: string, years: Years, kinds: FieldKinds): readonly Term[] | undefined {
  const months = kinds.kind('month');
  const isYear = years === 'any' ? YEAR.test(word) : years.includes(word);
  if (isYear) return MONTHS.map((month) => months.term(`${word}-${month}`));
  const isMonth = MONTHS.includes(word);
  if (!DAYS.includes(word)) return [];
  if (years === 'any') return undefined;
  return years.flatMap((year) =>
    MONTHS.map((month) =>
      isMonth && month === word ? months.term(`${year}-${month}`) : kinds.kind('day').term(`${year}-${month}-${word}`),
    ),
  );
}

const twoDigits = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => String(at + 1).padStart(2, '0'));

const YEAR = /^[0-9]{4}$/;
const MONTHS = twoDigits(12);
const DAYS = twoDigits(31);

function lastDayOf(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.toISOString().slice(0, 10);
}
