import { parseCalendarDate, parseDateTime } from '../../../kernel/domain/calendar.js';
import type { ChangeValue } from '../../../kernel/domain/event-action.js';
import type { FieldKind } from '../../../kernel/domain/event-configuration/event-type.js';
import { parseUuid } from '../../../kernel/domain/uuid.js';
import { memberPath } from '../../../kernel/errors/faults.js';
import type { Issue } from '../../../kernel/errors/service-error.js';
import { BoundedFaults } from '../../../kernel/input/bounded-faults.js';

/** Upstream's texts (E-17). */
export const FORM_FAULTS = {
  kind: 'Invalid input',
  unexpected: 'Unexpected field',
  required: 'Required',
  date: 'Invalid date field',
  email: 'Invalid email address',
  uncorrectable: 'Correction not allowed for field',
} as const;

/** A field has no parent. Becomes text only for listed faults. */
export interface Position {
  readonly parent: Position | undefined;
  readonly key: string | number;
}

/** Lists 100 faults of a declaration, and counts the rest. */
export class FormFaults {
  private readonly faults = new BoundedFaults();

  constructor(private readonly root: 'declaration' | 'annotation' = 'declaration') {}

  /** Without `parent`, `key` is a field. */
  add(parent: Position | undefined, key: string | number, message: string): void {
    this.faults.add(() => this.pathOf({ parent, key }), message);
  }

  get issues(): readonly Issue[] {
    return this.faults.issues;
  }

  /** Field ids are in brackets even when plain names (E-17). */
  private pathOf({ parent, key }: Position): string {
    return parent === undefined ? `${this.root}[${JSON.stringify(key)}]` : memberPath(this.pathOf(parent), key);
  }
}

/** A notification may have partial values, and any text in text fields. */
export type Thoroughness = 'structural' | 'complete';

export interface FormCheck {
  readonly faults: FormFaults;
  readonly thoroughness: Thoroughness;
}

/** Checks member `key` of `parent`. Valid values cause no allocation. */
type Check = (value: ChangeValue, parent: Position | undefined, key: string | number, check: FormCheck) => void;

type Members = Readonly<Record<string, ChangeValue | null>>;

const isMap = (value: ChangeValue): value is Members => typeof value === 'object' && !Array.isArray(value);

const unless =
  (isSound: (value: ChangeValue, thoroughness: Thoroughness) => boolean): Check =>
  (value, parent, key, { faults, thoroughness }) => {
    if (!isSound(value, thoroughness)) faults.add(parent, key, FORM_FAULTS.kind);
  };

const TEXT = unless((value) => typeof value === 'string');
const NUMBER = unless((value) => typeof value === 'number');
const BOOLEAN = unless((value) => typeof value === 'boolean');
const OBJECT = unless(isMap);
const DATE_TIME = unless((value) => parseDateTime(value) !== undefined);
const ANYTHING: Check = () => undefined;
const TIME = unless((value) => typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value));
const UUID = unless((value) => parseUuid(value) !== undefined);
const oneOf = (...values: readonly string[]): Check =>
  unless((value) => typeof value === 'string' && values.includes(value));

const DATE: Check = (value, parent, key, { faults, thoroughness }) => {
  if (parseCalendarDate(value) !== undefined) return;
  const isOtherKind = thoroughness === 'structural' || typeof value !== 'string';
  faults.add(parent, key, isOtherKind ? FORM_FAULTS.kind : FORM_FAULTS.date);
};

/** The length is checked first, since the expression takes quadratic time. */
const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text);

const EMAIL: Check = (value, parent, key, { faults, thoroughness }) => {
  if (typeof value !== 'string') faults.add(parent, key, FORM_FAULTS.kind);
  else if (thoroughness === 'complete' && value !== '' && !isEmail(value)) faults.add(parent, key, FORM_FAULTS.email);
};

/** Allows no other members; `needed` are required. */
const members =
  (checks: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check =>
  (value, parent, key, check) => {
    if (!isMap(value)) {
      check.faults.add(parent, key, FORM_FAULTS.kind);
      return;
    }
    const position = { parent, key };
    for (const name of needed)
      if (memberOf(value, name) === null) check.faults.add(position, name, FORM_FAULTS.required);
    for (const name of Object.keys(value)) {
      const member = memberOf(value, name);
      const known = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (known === undefined) check.faults.add(position, name, FORM_FAULTS.unexpected);
      else if (member !== null) known(member, position, name, check);
    }
  };

/** Null if absent or removed. */
const memberOf = (value: Members, name: string): ChangeValue | null =>
  Object.hasOwn(value, name) ? (value[name] ?? null) : null;

const listOf =
  (item: Check): Check =>
  (value, parent, key, check) => {
    if (!Array.isArray(value)) {
      check.faults.add(parent, key, FORM_FAULTS.kind);
      return;
    }
    const position = { parent, key };
    value.forEach((member: ChangeValue, at) => {
      item(member, position, at, check);
    });
  };

const mapOf =
  (item: Check): Check =>
  (value, parent, key, check) => {
    if (!isMap(value)) {
      check.faults.add(parent, key, FORM_FAULTS.kind);
      return;
    }
    const position = { parent, key };
    for (const name of Object.keys(value)) {
      const member = memberOf(value, name);
      if (member !== null) item(member, position, name, check);
    }
  };

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

/** International addresses may keep an administrative area, as upstream does. */
const ADDRESS: Check = (value, parent, key, check) => {
  ADDRESS_MEMBERS(value, parent, key, check);
  if (!isMap(value) || check.thoroughness === 'structural') return;
  const needed = value['addressType'] === 'DOMESTIC' ? ['country', 'administrativeArea'] : ['country'];
  for (const name of needed) {
    if (!hasValue(memberOf(value, name))) check.faults.add({ parent, key }, name, FORM_FAULTS.required);
  }
};

const LOOKUP_ERROR = members({ statusCode: NUMBER, message: TEXT }, ['statusCode', 'message']);

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
  REQUEST_STATE: members({ loading: BOOLEAN, error: LOOKUP_ERROR, data: ANYTHING }, ['loading']),
  DATA: members({ data: ANYTHING, updatedAt: DATE_TIME }),
  QUANTITY: members({ numericValue: NUMBER, unit: TEXT }),
  LABEL_VALUE: members({ label: TEXT, value: TEXT }, ['label', 'value']),
  GROUP: OBJECT,
};

/** Linear in the size of the value. */
export function checkValue(kind: FieldKind, value: ChangeValue, id: string, check: FormCheck): void {
  CHECKS[kind](value, undefined, id, check);
}

/** Empty texts and lists, and objects of those, are no value. */
export function hasValue(value: ChangeValue | null | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.values(value).some((member: ChangeValue | null) => hasValue(member));
}
