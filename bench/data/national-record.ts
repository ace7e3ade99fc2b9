import { calendarDateOf, instantOf, YEAR_MS } from '../../demo/day.js';
import type { DemoLegalStatus, DemoRecord } from '../../demo/demo-line.js';
import { drawUuid, Prng, Weighted } from '../../demo/prng.js';
import { recordKeysOf } from '../../demo/record-keys.js';
import { DAY_MS, HOUR_MS } from '../../src/kernel/domain/calendar.js';
import type { EventStatus, LegalStatus } from '../../src/kernel/domain/event-record.js';
import type { Nation, Office, Official } from './nation.js';
import { declarationOf } from './national-declaration.js';

const YEARS = 10;

const TYPES = new Weighted<'birth' | 'death' | 'marriage'>([
  [70, 'birth'],
  [20, 'death'],
  [10, 'marriage'],
]);
const STATUSES = new Weighted<EventStatus>([
  [60, 'REGISTERED'],
  [20, 'DECLARED'],
  [10, 'ARCHIVED'],
  [5, 'NOTIFIED'],
  [5, 'CREATED'],
]);

/** The stages that the record has come through; a later one is undefined. */
interface Times {
  readonly createdMs: number;
  readonly declaredMs: number | undefined;
  readonly registeredMs: number | undefined;
  readonly updatedMs: number;
}

/**
 * Record `index` of the nation, the same on every machine, within the ten years before `untilMs`: 70 % births, 20 %
 * deaths, 10 % marriages, 60 % registered, some 25 declaration fields of 1.3 kB, and everything that an answer has.
 */
export function nationalRecord(nation: Nation, index: number, untilMs: number): DemoRecord {
  const prng = new Prng(nation.seed, 'vital', index);
  const keys = recordKeysOf(nation.seed, index);
  const type = TYPES.draw(prng);
  const status = STATUSES.draw(prng);
  const office = prng.pick(nation.offices);
  const creator = prng.pick(office.officials);
  const times = drawTimes(prng, status, untilMs);
  const happenedMs = times.createdMs - Math.floor(prng.between(1, 60) * DAY_MS * (prng.chance(0.1) ? 8 : 1));
  const registrar = office.officials[0] ?? creator;
  const updater = status === 'CREATED' || status === 'NOTIFIED' ? creator : registrar;
  return {
    id: keys.id,
    type,
    status,
    legalStatuses: {
      DECLARED: times.declaredMs === undefined ? null : legalStatusOf(creator, times.declaredMs),
      REGISTERED:
        times.registeredMs === undefined
          ? null
          : {
              ...legalStatusOf(registrar, times.registeredMs),
              registrationNumber: keys.registrationNumber(type, new Date(times.registeredMs).getUTCFullYear()),
            },
    },
    createdAt: instantOf(times.createdMs),
    dateOfEvent: calendarDateOf(happenedMs),
    placeOfEvent: prng.pick(nation.offices).id,
    createdBy: creator.id,
    createdByUserType: 'user',
    updatedByUserRole: updater.role,
    createdAtLocation: office.id,
    updatedAtLocation: locationOfUpdate(prng, nation, office),
    updatedAt: instantOf(times.updatedMs),
    assignedTo: prng.chance(0.05) ? prng.pick(office.officials).id : null,
    updatedBy: updater.id,
    trackingId: keys.trackingId,
    potentialDuplicates: prng.chance(0.008) ? [{ id: drawUuid(prng), trackingId: 'DUPL1C' }] : [],
    flags: drawFlags(prng, status),
    declaration: declarationOf(prng, nation, { type, index, happenedMs, isRegistered: status === 'REGISTERED' }),
  };
}

const locationOfUpdate = (prng: Prng, nation: Nation, office: Office): Office['id'] =>
  prng.chance(0.05) ? prng.pick(nation.offices).id : office.id;

function drawTimes(prng: Prng, status: EventStatus, untilMs: number): Times {
  const later = (ms: number, mostDays: number): number =>
    Math.min(untilMs - 1, ms + Math.floor(prng.unit() * mostDays * DAY_MS) + HOUR_MS);
  const createdMs = untilMs - Math.floor(prng.unit() ** 1.1 * YEARS * YEAR_MS) - 1;
  const declaredMs = later(createdMs, 10);
  const registeredMs = later(declaredMs, 30);
  switch (status) {
    case 'CREATED':
    case 'NOTIFIED':
      return { createdMs, declaredMs: undefined, registeredMs: undefined, updatedMs: createdMs };
    case 'DECLARED':
      return { createdMs, declaredMs, registeredMs: undefined, updatedMs: declaredMs };
    case 'ARCHIVED':
      return { createdMs, declaredMs, registeredMs: undefined, updatedMs: later(declaredMs, 200) };
    case 'REVOKED':
    case 'REGISTERED': {
      // A certificate or a correction, any time later.
      const updatedMs = prng.chance(0.35)
        ? registeredMs + Math.floor(prng.unit() * (untilMs - registeredMs))
        : registeredMs;
      return { createdMs, declaredMs, registeredMs, updatedMs };
    }
  }
}

const legalStatusOf = (by: Official, atMs: number): DemoLegalStatus<LegalStatus> => ({
  createdAt: instantOf(atMs),
  createdBy: by.id,
  createdAtLocation: by.office,
  createdByUserType: 'user',
  acceptedAt: instantOf(atMs),
  createdByRole: by.role,
});

function drawFlags(prng: Prng, status: EventStatus): string[] {
  const flags: string[] = [];
  const now = (share: number, flag: string): void => {
    if (prng.chance(share)) flags.push(flag);
  };
  now(0.15, 'paper-register');
  now(0.052, 'late-registration');
  now(0.008, 'potential-duplicate');
  if (status === 'NOTIFIED') flags.push('incomplete');
  if (status === 'DECLARED') {
    now(0.2, 'register:requested');
    now(0.1, 'rejected');
    now(0.1, 'edit-in-progress');
  }
  if (status === 'REGISTERED') {
    now(0.4, 'certified');
    now(0.02, 'correction-requested');
    now(0.01, 'sealed');
  }
  return flags;
}
