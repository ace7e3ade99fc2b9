import type { LegalStatus, RegisteredStatus } from '../../domain/record/event-record.js';
import { calendarDateOf, instantOf } from '../day.js';
import type { DemoLegalStatus, DemoRecord } from '../demo-line.js';
import type { Entry } from '../events/entry.js';
import type { Vital } from '../events/vital.js';
import type { Official } from '../officials.js';
import type { Prng } from '../prng.js';
import type { RecordKeys } from '../record-keys.js';
import { drawFlags } from './draw-flags.js';
import { drawStages, type Stages } from './draw-stages.js';

/** Records of which the older system kept nothing that is not required. */
const BARE = 0.06;
const ASSIGNED = 0.15;

/** A record without its history, as an older system hands it over. Nothing in it is later than `endMs`. */
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
