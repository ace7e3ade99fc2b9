import { parseCalendarDate, parseDateTime } from '../../kernel/domain/calendar.js';
import type { ActionType, ChangeValue, DeclarationChange } from '../../kernel/domain/event-action.js';
import { type NamedAction, settingsOf } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventType, FieldKind } from '../../kernel/domain/event-configuration/event-type.js';
import { DATES_WITHOUT_FORM } from '../../kernel/domain/event-configuration/shipped-event-types.js';
import type { Declaration } from '../../kernel/domain/event-record.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { INVALID_INPUT, memberPath } from '../../kernel/errors/faults.js';
import { type Issue, ServiceError } from '../../kernel/errors/service-error.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { applyChange } from './replay.js';

/** Upstream's texts (E-17). */
const FORM_FAULTS = {
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
function checkValue(kind: FieldKind, value: ChangeValue, id: string, check: FormCheck): void {
  CHECKS[kind](value, undefined, id, check);
}

/** Empty texts and lists, and objects of those, are no value. */
function hasValue(value: ChangeValue | null | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.values(value).some((member: ChangeValue | null) => hasValue(member));
}

export interface DeclaredChange {
  readonly action: ActionType;
  /** Empty for a new event. */
  readonly before: Declaration;
  readonly change: DeclarationChange;
}

/**
 * Issues of the type's form (E-3, E-17), such as `declaration["child.dob"]: Invalid date field`. Changes are checked as
 * stored; declarations and registrations as a whole, by `LIFE_CYCLE`. Without a form only changed dates are checked.
 * Linear: a megabyte of keys costs half of its parsing.
 */
export function faultsOfDeclaration({ fields }: EventType, declared: DeclaredChange): readonly Issue[] {
  const { action, change } = declared;
  const { form } = LIFE_CYCLE[action];
  const faults = new FormFaults();
  for (const id of Object.keys(change)) {
    if (fields === undefined) break;
    const field = fields.get(id);
    if (field === undefined) faults.add(undefined, id, FORM_FAULTS.unexpected);
    else if (form === 'correction' && !field.isCorrectable) faults.add(undefined, id, FORM_FAULTS.uncorrectable);
  }
  const check = { faults, thoroughness: form === 'structural' ? form : ('complete' as const) };
  for (const { id, kind, isRequired } of fields?.values() ?? WITHOUT_FORM) {
    const isWhole = form === 'complete' && fields !== undefined;
    if (!isWhole && !Object.hasOwn(change, id)) continue;
    const value = valueAfter(declared, id);
    if (value !== undefined) checkValue(kind, value, id, check);
    if (isRequired && form !== 'structural' && !hasValue(value)) faults.add(undefined, id, FORM_FAULTS.required);
  }
  return faults.issues;
}

const WITHOUT_FORM = [...DATES_WITHOUT_FORM].map((id) => ({ id, kind: 'DATE' as const, isRequired: false }));

/** Throws 400. */
export function requireForm(type: EventType, declared: DeclaredChange): void {
  const issues = faultsOfDeclaration(type, declared);
  if (issues.length > 0) throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });
}

/** The merged value; not copied if nothing is merged. */
function valueAfter({ before, change }: DeclaredChange, id: string): ChangeValue | undefined {
  const declared = Object.hasOwn(before, id) ? before[id] : undefined;
  if (!Object.hasOwn(change, id)) return declared;
  const changed = change[id] ?? undefined;
  if (changed === undefined || declared === undefined || typeof declared !== 'object') return changed;
  const merged = { [id]: declared };
  applyChange(merged, { [id]: changed });
  return merged[id];
}

/** Issues such as `annotation["print.copies"]: Required`; none without a form. Notifications may be incomplete. */
export function faultsOfAnnotation(
  type: EventType,
  action: NamedAction,
  annotation: DeclarationChange | null,
): readonly Issue[] {
  const form = settingsOf(type, action)?.form;
  if (form === undefined) return [];
  const isPartial = action.type === 'NOTIFY';
  const faults = new FormFaults('annotation');
  const given = annotation ?? {};
  for (const id of Object.keys(given)) if (!form.has(id)) faults.add(undefined, id, FORM_FAULTS.unexpected);
  const check = { faults, thoroughness: isPartial ? ('structural' as const) : ('complete' as const) };
  for (const { id, kind, isRequired } of form.values()) {
    const value = Object.hasOwn(given, id) ? given[id] : undefined;
    if (value !== undefined && value !== null) checkValue(kind, value, id, check);
    if (isRequired && !isPartial && !hasValue(value)) faults.add(undefined, id, FORM_FAULTS.required);
  }
  return faults.issues;
}
