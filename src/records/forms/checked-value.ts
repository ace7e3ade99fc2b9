import { parseCalendarDate } from '../../domain/calendar.js';
import type { FieldKind } from '../../domain/event-configuration/event-type.js';
import type { DeclarationValue } from '../../domain/record/declaration.js';
import { parseUuid } from '../../domain/uuid.js';

/** How thoroughly a form is checked: a notification may have partial values and any text where text belongs. */
export type Thoroughness = 'structural' | 'complete';

/** A fault in a value: at which member, by the keys that lead to it, and upstream's text. */
export interface ValueFault {
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/** Upstream's texts for what is wrong with a value (E-17). */
export const FORM_FAULTS = {
  kind: 'Invalid input',
  unexpected: 'Unexpected field',
  required: 'Required',
  date: 'Invalid date field',
  email: 'Invalid email address',
  uncorrectable: 'Correction not allowed for field',
} as const;

type Found = readonly ValueFault[];
type Check = (value: DeclarationValue | undefined, thoroughness: Thoroughness) => Found;

const NONE: Found = [];
const faulty = (message: string): Found => [{ at: [], message }];
const unless = (isSound: boolean, message: string = FORM_FAULTS.kind): Found => (isSound ? NONE : faulty(message));

type Members = Readonly<Record<string, DeclarationValue>>;

const isMap = (value: DeclarationValue | undefined): value is Members =>
  typeof value === 'object' && !Array.isArray(value);

const TEXT: Check = (value) => unless(typeof value === 'string');
const NUMBER: Check = (value) => unless(typeof value === 'number');
const BOOLEAN: Check = (value) => unless(typeof value === 'boolean');
const ANYTHING: Check = () => NONE;
const OBJECT: Check = (value) => unless(isMap(value));
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    unless(typeof value === 'string' && values.includes(value));

const DATE: Check = (value, thoroughness) =>
  unless(parseCalendarDate(value) !== undefined, thoroughness === 'complete' ? FORM_FAULTS.date : FORM_FAULTS.kind);

/** The length is limited first: the expression takes quadratic time. */
const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text);

const EMAIL: Check = (value, thoroughness) => {
  if (typeof value !== 'string') return faulty(FORM_FAULTS.kind);
  return unless(thoroughness === 'structural' || value === '' || isEmail(value), FORM_FAULTS.email);
};

const TIME: Check = (value) => unless(typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value));
const UUID: Check = (value) => unless(parseUuid(value) !== undefined);

/** An object with these members and no other; `needed` are required, the others may be absent. */
const members =
  (checks: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check =>
  (value, thoroughness) => {
    if (!isMap(value)) return faulty(FORM_FAULTS.kind);
    const missing = needed.filter((key) => !Object.hasOwn(value, key));
    return [
      ...missing.map((key) => ({ at: [key], message: FORM_FAULTS.required })),
      ...Object.entries(value).flatMap(([key, member]) => {
        const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
        return check === undefined
          ? [{ at: [key], message: FORM_FAULTS.unexpected }]
          : below(key, check(member, thoroughness));
      }),
    ];
  };

const listOf =
  (check: Check): Check =>
  (value, thoroughness) =>
    Array.isArray(value)
      ? value.flatMap((member: DeclarationValue, at) => below(at, check(member, thoroughness)))
      : faulty(FORM_FAULTS.kind);

const mapOf =
  (check: Check): Check =>
  (value, thoroughness) =>
    isMap(value)
      ? Object.entries(value).flatMap(([key, member]) => below(key, check(member, thoroughness)))
      : faulty(FORM_FAULTS.kind);

const below = (key: string | number, found: Found): Found =>
  found.map(({ at, message }) => ({ at: [key, ...at], message }));

const FILE_MEMBERS = { path: TEXT, originalFilename: TEXT, type: TEXT };

const ADDRESS_MEMBERS = members(
  {
    addressType: oneOf('DOMESTIC', 'INTERNATIONAL'),
    country: TEXT,
    administrativeArea: UUID,
    streetLevelDetails: mapOf(TEXT),
  },
  ['addressType'],
);

/** An international address keeps an administrative area that was sent with it, as upstream does. */
const ADDRESS: Check = (value, thoroughness) => {
  const found = ADDRESS_MEMBERS(value, thoroughness);
  if (!isMap(value) || thoroughness === 'structural') return found;
  const needed = value['addressType'] === 'DOMESTIC' ? ['country', 'administrativeArea'] : ['country'];
  const missing = needed.filter((key) => !hasValue(value[key]));
  return [...found, ...missing.map((key) => ({ at: [key], message: FORM_FAULTS.required }))];
};

const CHECKS: Readonly<Record<FieldKind, Check>> = {
  TEXT,
  EMAIL,
  DATE,
  AGE: members({ age: NUMBER, asOfDateRef: TEXT }, ['age', 'asOfDateRef']),
  TIME,
  DATE_RANGE: members({ start: DATE, end: DATE }, ['start', 'end']),
  TIME_PERIOD: oneOf('last7Days', 'last30Days', 'last90Days', 'last365Days'),
  BOOLEAN,
  NUMBER,
  FILE: members(FILE_MEMBERS, Object.keys(FILE_MEMBERS)),
  FILE_LIST: listOf(members({ ...FILE_MEMBERS, option: TEXT }, [...Object.keys(FILE_MEMBERS), 'option'])),
  NAME: members({ firstname: TEXT, surname: TEXT, middlename: TEXT }),
  ADDRESS,
  LOCATION: UUID,
  VERIFICATION_STATUS: oneOf('verified', 'authenticated', 'failed', 'pending'),
  REQUEST_STATE: members({ loading: BOOLEAN, error: OBJECT, data: ANYTHING }, ['loading']),
  DATA: members({ data: ANYTHING, updatedAt: TEXT }),
  QUANTITY: members({ numericValue: NUMBER, unit: TEXT }),
  LABEL_VALUE: members({ label: TEXT, value: TEXT }, ['label', 'value']),
  GROUP: OBJECT,
};

/** What is wrong with a value of a field of that kind; its cost grows with the size of the value alone. */
export const faultsOfValue = (kind: FieldKind, value: DeclarationValue, thoroughness: Thoroughness): Found =>
  CHECKS[kind](value, thoroughness);

/** Whether somebody has filled something in: empty text, an empty list, or an object of those, is no value. */
export function hasValue(value: DeclarationValue | undefined): boolean {
  if (value === undefined || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.values(value).some((member: DeclarationValue) => hasValue(member));
}
