import type { EventRecord, LegalStatus, RegisteredStatus } from '../domain/event-record.js';

/**
 * The record as an answer carries it: JSON with every key of the interface's record table in its order, null where
 * there is no value (S-13). The same record always yields the same text.
 */
export const recordBody = (record: EventRecord): string =>
  JSON.stringify({
    id: record.id,
    type: record.type,
    status: record.status,
    legalStatuses: {
      DECLARED: legalStatus(record.legalStatuses.DECLARED),
      REGISTERED: registeredStatus(record.legalStatuses.REGISTERED),
    },
    createdAt: record.createdAt,
    dateOfEvent: record.dateOfEvent,
    placeOfEvent: record.placeOfEvent,
    createdBy: record.createdBy,
    createdByUserType: record.createdByUserType,
    updatedByUserRole: record.updatedByUserRole,
    createdAtLocation: record.createdAtLocation,
    updatedAtLocation: record.updatedAtLocation,
    updatedAt: record.updatedAt,
    assignedTo: record.assignedTo,
    updatedBy: record.updatedBy,
    trackingId: record.trackingId,
    potentialDuplicates: record.potentialDuplicates.map(({ id, trackingId }) => ({ id, trackingId })),
    flags: record.flags,
    declaration: record.declaration,
  } satisfies EventRecord);

/** Its id, without parsing it. */
export const idOfBody = (body: string): string => body.slice(ID_AT, ID_AT + ID_LENGTH);

const ID_AT = '{"id":"'.length;
const ID_LENGTH = 36;

const legalStatus = (status: LegalStatus | null): LegalStatus | null =>
  status && {
    createdAt: status.createdAt,
    createdBy: status.createdBy,
    createdAtLocation: status.createdAtLocation,
    createdByUserType: status.createdByUserType,
    acceptedAt: status.acceptedAt,
    createdByRole: status.createdByRole,
  };

function registeredStatus(status: RegisteredStatus | null): RegisteredStatus | null {
  const common = legalStatus(status);
  return status && common && { ...common, registrationNumber: status.registrationNumber };
}
