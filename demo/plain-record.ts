import { DAY_MS } from '../src/kernel/domain/calendar.js';
import type { EventFlag, EventStatus, LegalStatus } from '../src/kernel/domain/event-record.js';
import { calendarDateOf, instantOf, YEAR_MS } from './day.js';
import type { DemoLegalStatus, DemoRecord } from './demo-line.js';
import type { Official } from './places.js';
import { type Prng, Weighted } from './prng.js';
import type { RecordKeys } from './record-keys.js';
import type { Entry } from './vital.js';

const STATUSES = new Weighted<EventStatus>([
  [85, 'REGISTERED'],
  [5, 'ARCHIVED'],
  [4, 'DECLARED'],
  [4, 'NOTIFIED'],
  [2, 'CREATED'],
]);

/** Outcomes of actions, inherent flags, and the country's own, with their shares. */
const FLAGS: Readonly<Partial<Record<EventStatus, Readonly<Record<EventFlag, number>>>>> = {
  NOTIFIED: { incomplete: 1 },
  DECLARED: { 'register:requested': 0.2, 'register:rejected': 0.08, rejected: 0.12, 'edit-in-progress': 0.1 },
  REGISTERED: { 'correction-requested': 0.02, 'print_certificate:rejected': 0.01, sealed: 0.02, certified: 0.3 },
  ARCHIVED: { rejected: 0.1 },
};

/** Without history, as from an older system; nothing is later than `endMs`. */
export function drawPlainRecord(
  prng: Prng,
  { vital, duplicateOf }: Entry,
  keys: RecordKeys,
  endMs: number,
): DemoRecord {
  const { ward, arrivedMs, happenedMs, notified, declared } = vital;
  const later = (ms: number, mostDays: number): number => Math.min(endMs, ms + prng.unit() * mostDays * DAY_MS);
  const status = STATUSES.draw(prng);
  const [agent, registrar] = [prng.pick(ward.agents), prng.pick(ward.registrars)];
  const creator = vital.channel === 'facility' ? ward.facilitySystem : agent;
  const isDraft = status === 'CREATED';
  const isDeclared = !isDraft && status !== 'NOTIFIED';
  const isRegistered = status === 'REGISTERED';
  const declaredMs = later(arrivedMs, 12);
  const registeredMs = later(declaredMs, 20);
  const updatedMs = !isDeclared ? arrivedMs : status === 'DECLARED' ? declaredMs : later(registeredMs, 200);
  const updater = !isDeclared ? creator : status === 'DECLARED' ? agent : registrar;
  const registrationNumber = keys.registrationNumber(vital.type, new Date(registeredMs).getUTCFullYear());
  const duplicates = status === 'DECLARED' && duplicateOf !== undefined ? [duplicateOf] : [];
  const required = {
    id: keys.id,
    type: vital.type,
    status,
    legalStatuses: {
      DECLARED: isDeclared ? legalStatusOf(agent, declaredMs) : null,
      REGISTERED: isRegistered ? { ...legalStatusOf(registrar, registeredMs), registrationNumber } : null,
    },
    createdAt: instantOf(arrivedMs),
    createdBy: creator.id,
    updatedAt: instantOf(updatedMs),
    trackingId: keys.trackingId,
    potentialDuplicates: duplicates,
    flags: [
      ...Object.entries(FLAGS[status] ?? {}).flatMap(([flag, share]) => (prng.chance(share) ? [flag] : [])),
      ...(duplicates.length > 0 ? ['potential-duplicate'] : []),
      ...(arrivedMs - happenedMs > YEAR_MS ? ['late-registration'] : []),
      ...(prng.chance(0.25) ? ['paper-register'] : []),
    ],
    declaration: isDraft ? {} : status === 'NOTIFIED' && vital.type !== 'marriage' ? notified : declared,
  };
  // Some have the required members alone.
  if (prng.chance(0.06)) return required;
  return {
    ...required,
    dateOfEvent: isDraft ? null : calendarDateOf(happenedMs),
    placeOfEvent: isDraft ? null : vital.place,
    createdByUserType: creator.userType,
    createdAtLocation: creator.location,
    updatedBy: updater.id,
    updatedByUserRole: updater.role ?? null,
    updatedAtLocation: updater.location,
    ...(prng.chance(0.5) && { assignedTo: status === 'NOTIFIED' && prng.chance(0.3) ? agent.id : null }),
  };
}

const legalStatusOf = (by: Official, atMs: number): DemoLegalStatus<LegalStatus> => ({
  createdAt: instantOf(atMs),
  createdBy: by.id,
  createdAtLocation: by.location,
  createdByUserType: by.userType,
  acceptedAt: instantOf(atMs),
  ...(by.role !== undefined && { createdByRole: by.role }),
});
