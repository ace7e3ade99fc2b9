import { type CalendarDate, parseCalendarDate } from '../src/kernel/domain/calendar.js';
import { parseUuid } from '../src/kernel/domain/uuid.js';
import type { DemoLine } from './demo-line.js';
import { demoRecords } from './demo-records.js';
import { demoPlaces } from './places.js';

const UNTIL = '2025-10-31' as CalendarDate;
const lines = [...demoRecords({ seed: 1, count: 2_000, until: UNTIL })];

const declarationsOf = (line: DemoLine): readonly object[] =>
  'actions' in line ? line.actions.map(({ declaration }) => declaration) : [line.declaration];
const fields = lines.flatMap((line) => declarationsOf(line).flatMap((one): [string, unknown][] => Object.entries(one)));
const declared = (line: DemoLine): Record<string, unknown> => Object.assign({}, ...declarationsOf(line)) as never;

const VERIFICATION = ['verified', 'authenticated', 'failed', 'pending'];
const TIME_PERIODS = ['last7Days', 'last30Days', 'last90Days', 'last365Days'];

/** The kind of a value, by the table "Declaration values" of the interface. */
function kindOf(field: string, value: unknown): string {
  if (value === null) return 'taken out';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value;
  if (typeof value === 'string') return kindOfText(field, value);
  if (Array.isArray(value))
    return value.every((item) => hasKeys(item, 'path originalFilename type option')) ? 'file list' : '?';
  if (typeof value !== 'object') return '?';
  if (hasKeys(value, 'country addressType administrativeArea')) return 'domestic address';
  if (hasKeys(value, 'country addressType')) return 'international address';
  if (hasKeys(value, 'age asOfDateRef')) return 'age';
  if (hasKeys(value, 'start end')) return 'date range';
  if (hasKeys(value, 'path originalFilename type')) return 'file';
  if (hasKeys(value, 'firstname surname middlename')) return 'name with a middle name';
  if (hasKeys(value, 'firstname surname')) return 'name';
  if (hasKeys(value, 'surname') || hasKeys(value, 'firstname')) return 'partial name';
  if (hasKeys(value, 'loading error')) return 'failed request';
  if (hasKeys(value, 'loading data')) return 'request';
  if (hasKeys(value, 'data updatedAt')) return 'data holder with its time';
  if (hasKeys(value, 'data'))
    return typeof Object.values(value)[0] === 'string' ? 'data holder' : 'nested group in a data holder';
  if (hasKeys(value, 'numericValue unit')) return 'quantity';
  if (hasKeys(value, 'label value')) return 'label and value';
  if (hasKeys(value, 'spouse.name')) return 'nested group';
  return Object.keys(value).length === 0 ? 'empty quantity' : '?';
}

function kindOfText(field: string, value: string): string {
  if (parseCalendarDate(value) !== undefined) return 'date';
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(value)) return 'time';
  if (TIME_PERIODS.includes(value)) return 'time period';
  if (VERIFICATION.includes(value)) return 'verification status';
  if (parseUuid(value) !== undefined) return 'location';
  if (/^[a-z.]+\d+@[a-z.]+$/.test(value)) return 'e-mail';
  if (/^(?:\+260|0)\d{9}$/.test(value)) return 'phone';
  if (field.endsWith('.nid') && /^\d{10}$/.test(value)) return 'national id';
  return 'text';
}

const hasKeys = (value: unknown, keys: string): boolean =>
  typeof value === 'object' && value !== null && keys.split(' ').every((key) => Object.hasOwn(value, key));

describe('the declarations of the demonstration country', () => {
  it('hold every kind of value that the interface names, and no other', () => {
    expect([...new Set(fields.map(([field, value]) => kindOf(field, value)))].sort()).toEqual(
      [
        'age',
        'boolean',
        'data holder',
        'data holder with its time',
        'date',
        'date range',
        'domestic address',
        'e-mail',
        'empty quantity',
        'failed request',
        'file',
        'file list',
        'international address',
        'label and value',
        'location',
        'name',
        'name with a middle name',
        'national id',
        'nested group',
        'nested group in a data holder',
        'number',
        'partial name',
        'phone',
        'quantity',
        'request',
        'taken out',
        'text',
        'time',
        'time period',
        'verification status',
      ].sort(),
    );
  });

  it('hold names in many scripts, and Latin ones with their diacritics', () => {
    const names = fields.filter(([field]) => field.endsWith('.name')).map(([, value]) => JSON.stringify(value));
    for (const script of ['Latin', 'Cyrillic', 'Arabic', 'Devanagari', 'Ethiopic', 'Han']) {
      expect(names.some((name) => new RegExp(`\\p{Script=${script}}`, 'u').test(name))).toBe(true);
    }
    for (const letter of 'łøđıßñễãčœ') expect(names.some((name) => name.includes(letter))).toBe(true);
  });

  it('name only places that demoPlaces has', () => {
    const { administrativeAreas, locations } = demoPlaces(1);
    const areas = new Set<unknown>(administrativeAreas.map(({ id }) => id));
    const offices = new Set<unknown>(locations.map(({ id }) => id));
    for (const line of lines) {
      const { places, others } = placesOf(line);
      expect(places.filter((place) => !offices.has(place) && !areas.has(place))).toEqual([]);
      expect(others.filter((place) => !offices.has(place))).toEqual([]);
    }
    const addresses = fields.flatMap(([, value]) =>
      hasKeys(value, 'administrativeArea') ? [value as { administrativeArea: string }] : [],
    );
    expect(addresses.length).toBeGreaterThan(1_000);
    expect(addresses.filter(({ administrativeArea }) => !areas.has(administrativeArea))).toEqual([]);
  });

  it('hold no day after the last one, and none of the event after its arrival', () => {
    for (const line of lines) {
      const days = JSON.stringify(line).match(/\d{4}-\d{2}-\d{2}(?=["T])/g) ?? [];
      expect(days.filter((day) => parseCalendarDate(day) === undefined || day > UNTIL)).toEqual([]);
      const { 'child.dob': born, 'eventDetails.date': died, 'marriage.date': married } = declared(line);
      for (const day of [born, died, married])
        if (typeof day === 'string') expect(day <= line.createdAt.slice(0, 10)).toBe(true);
    }
  });
});

/** The places that a line names: those of the event, which may be areas, and those of the officials, which are not. */
function placesOf(line: DemoLine): { places: unknown[]; others: unknown[] } {
  const {
    'child.birthLocation': birth,
    'eventDetails.deathLocation': death,
    'marriage.placeOfMarriage': marriage,
  } = declared(line);
  const places: unknown[] = [birth, death, marriage];
  const others: unknown[] = [];
  if ('actions' in line) {
    others.push(...line.actions.map(({ createdAtLocation }) => createdAtLocation));
  } else {
    places.push(line.placeOfEvent);
    others.push(line.createdAtLocation, line.updatedAtLocation);
    others.push(line.legalStatuses.DECLARED?.createdAtLocation, line.legalStatuses.REGISTERED?.createdAtLocation);
  }
  const given = (place: unknown): boolean => typeof place === 'string';
  return { places: places.filter(given), others: others.filter(given) };
}
