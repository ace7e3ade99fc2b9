import { DAY_MS, HOUR_MS } from '../src/kernel/domain/calendar.js';
import type { EventFlag, EventStatus, LegalStatus, RegisteredStatus } from '../src/kernel/domain/event-record.js';
import type { Official } from './country.js';
import { calendarDateOf, instantOf, YEAR_MS } from './day.js';
import type { DemoLegalStatus, DemoRecord } from './demo-line.js';
import type { Entry } from './entry.js';
import { type Prng, Weighted } from './prng.js';
import type { RecordKeys } from './record-keys.js';
import type { Vital } from './vital.js';

const FATES = new Weighted([
  [75, 'REGISTERED'],
  [6, 'ARCHIVED'],
  [8, 'DECLARED'],
  [7, 'NOTIFIED'],
  [4, 'CREATED'],
] as const);

/** Four of five older records are registered. */
const SETTLED_AFTER_MS = 1.5 * YEAR_MS;
const SETTLED = 0.8;

interface Stages {
  readonly status: EventStatus;
  readonly declaredMs: number | undefined;
  readonly registeredMs: number | undefined;
  readonly updatedMs: number;
}

/** None later than `endMs`. */
function drawStages(prng: Prng, arrivedMs: number, endMs: number): Stages {
  const after = (ms: number, mostDays: number): number =>
    ms + Math.floor(prng.between(0, mostDays) * DAY_MS + prng.unit() * HOUR_MS);
  const declaredMs = after(arrivedMs, 12);
  const registeredMs = after(declaredMs, 20);
  const archivedMs = after(declaredMs, 200);
  const drawn = FATES.draw(prng);
  const isSettled = endMs - arrivedMs > SETTLED_AFTER_MS && prng.chance(SETTLED);
  const fate = drawn !== 'ARCHIVED' && isSettled ? 'REGISTERED' : drawn;

  if (fate === 'CREATED') return { status: fate, declaredMs: undefined, registeredMs: undefined, updatedMs: arrivedMs };
  if (fate === 'NOTIFIED' || declaredMs > endMs) {
    return { status: 'NOTIFIED', declaredMs: undefined, registeredMs: undefined, updatedMs: arrivedMs };
  }
  if (fate === 'ARCHIVED' && archivedMs <= endMs) {
    return { status: fate, declaredMs, registeredMs: undefined, updatedMs: archivedMs };
  }
  if (fate === 'REGISTERED' && registeredMs <= endMs) {
    // Printing a certificate is a change.
    const printedMs = after(registeredMs, 300);
    const updatedMs = prng.chance(0.4) && printedMs <= endMs ? printedMs : registeredMs;
    return { status: fate, declaredMs, registeredMs, updatedMs };
  }
  return { status: 'DECLARED', declaredMs, registeredMs: undefined, updatedMs: declaredMs };
}

/** Outcomes of actions, inherent flags, and the country's own. */
function drawFlags(prng: Prng, { vital, duplicateOf }: Entry, { status }: Stages): EventFlag[] {
  const flags: EventFlag[] = [];
  const now = (share: number, ...raised: EventFlag[]): void => {
    if (prng.chance(share)) flags.push(...raised);
  };

  switch (status) {
    case 'CREATED':
    case 'REVOKED':
      break;
    case 'NOTIFIED':
      now(1, 'incomplete');
      break;
    case 'DECLARED':
      now(0.2, 'register:requested');
      now(0.08, 'register:rejected');
      now(0.12, 'rejected');
      now(0.1, 'edit-in-progress');
      if (duplicateOf !== undefined) flags.push('potential-duplicate');
      break;
    case 'REGISTERED':
      now(0.02, 'correction-requested');
      now(0.01, 'print_certificate:rejected');
      now(0.02, 'sealed');
      now(0.3, 'certified');
      break;
    case 'ARCHIVED':
      now(0.1, 'rejected');
      break;
  }

  if (vital.arrivedMs - vital.happenedMs > YEAR_MS) flags.push('late-registration');
  now(0.25, 'paper-register');
  return flags;
}

/** Share of records with required members only. */
const BARE = 0.06;
const ASSIGNED = 0.15;

/** Without history, as from an older system; nothing is later than `endMs`. */
export function drawPlainRecord(prng: Prng, entry: Entry, keys: RecordKeys, endMs: number): DemoRecord {
  const { vital, duplicateOf } = entry;
  const stages = drawStages(prng, vital.arrivedMs, endMs);
  const creator = creatorOf(prng, vital);
  const declarer = creator.userType === 'system' ? prng.pick(vital.ward.agents) : creator;
  const registrar = prng.pick(vital.ward.registrars);
  const updater = updaterOf(stages, creator, declarer, registrar);
  const flags = drawFlags(prng, entry, stages);

  const required = {
    id: keys.id,
    type: vital.type,
    status: stages.status,
    legalStatuses: legalStatusesOf(stages, declarer, registrar, keys, vital),
    createdAt: instantOf(vital.arrivedMs),
    createdBy: creator.id,
    updatedAt: instantOf(stages.updatedMs),
    trackingId: keys.trackingId,
    potentialDuplicates: duplicateOf !== undefined && flags.includes('potential-duplicate') ? [duplicateOf] : [],
    flags,
    declaration: declarationOf(stages, vital),
  };
  if (prng.chance(BARE)) return required;

  const record = {
    ...required,
    dateOfEvent: stages.status === 'CREATED' ? null : calendarDateOf(vital.happenedMs),
    placeOfEvent: stages.status === 'CREATED' ? null : vital.place,
    createdByUserType: creator.userType,
    createdAtLocation: creator.location,
    updatedBy: updater.id,
    updatedByUserRole: updater.role ?? null,
    updatedAtLocation: updater.location,
  };
  if (isOpen(stages) && prng.chance(ASSIGNED)) return { ...record, assignedTo: declarer.id };
  return prng.chance(0.5) ? { ...record, assignedTo: null } : record;
}

const isOpen = ({ status }: Stages): boolean => status === 'NOTIFIED' || status === 'DECLARED';

function creatorOf(prng: Prng, { channel, ward }: Vital): Official {
  switch (channel) {
    case 'facility':
      return ward.facilitySystem;
    case 'field':
      return prng.pick(ward.fieldNotifiers);
    case 'office':
      return prng.pick(ward.agents);
    case 'registry':
      return prng.pick(ward.registrars);
  }
}

/** Who last changed the status. */
function updaterOf({ status }: Stages, creator: Official, declarer: Official, registrar: Official): Official {
  if (status === 'CREATED' || status === 'NOTIFIED') return creator;
  return status === 'DECLARED' ? declarer : registrar;
}

function legalStatusesOf(
  { declaredMs, registeredMs }: Stages,
  declarer: Official,
  registrar: Official,
  keys: RecordKeys,
  { type }: Vital,
): DemoRecord['legalStatuses'] {
  if (declaredMs === undefined) return { DECLARED: null, REGISTERED: null };
  const DECLARED = legalStatusOf(declarer, declaredMs);
  if (registeredMs === undefined) return { DECLARED, REGISTERED: null };
  const registrationNumber = keys.registrationNumber(type, new Date(registeredMs).getUTCFullYear());
  const REGISTERED: DemoLegalStatus<RegisteredStatus> = {
    ...legalStatusOf(registrar, registeredMs),
    registrationNumber,
  };
  return { DECLARED, REGISTERED };
}

const legalStatusOf = (by: Official, atMs: number): DemoLegalStatus<LegalStatus> => ({
  createdAt: instantOf(atMs),
  createdBy: by.id,
  createdAtLocation: by.location,
  createdByUserType: by.userType,
  acceptedAt: instantOf(atMs),
  ...(by.role === undefined ? {} : { createdByRole: by.role }),
});

function declarationOf({ status }: Stages, { notified, declared }: Vital): DemoRecord['declaration'] {
  if (status === 'CREATED') return {};
  const isPartial = status === 'NOTIFIED' && Object.keys(notified).length > 0;
  return isPartial ? notified : declared;
}
