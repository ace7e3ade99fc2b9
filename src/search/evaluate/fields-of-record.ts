import type { EventRecord } from '../../domain/event-record.js';
import type { LocationField, TextField } from '../../domain/search-request.js';

/** Where a record has what a condition on a text field asks for. */
export const TEXTS: Readonly<Record<TextField, (record: EventRecord) => string | null>> = {
  id: (record) => record.id,
  eventType: (record) => record.type,
  status: (record) => record.status,
  'legalStatuses.DECLARED.createdByRole': ({ legalStatuses }) => legalStatuses.DECLARED?.createdByRole ?? null,
  'legalStatuses.REGISTERED.createdByRole': ({ legalStatuses }) => legalStatuses.REGISTERED?.createdByRole ?? null,
  'legalStatuses.REGISTERED.registrationNumber': ({ legalStatuses }) =>
    legalStatuses.REGISTERED?.registrationNumber ?? null,
  assignedTo: (record) => record.assignedTo,
  updatedByUserRole: (record) => record.updatedByUserRole,
  createdBy: (record) => record.createdBy,
  updatedBy: (record) => record.updatedBy,
  trackingId: (record) => record.trackingId,
  createdByUserType: (record) => record.createdByUserType,
};

/** Where it has the place that a condition on a location field asks for. */
export const PLACES: Readonly<Record<LocationField, (record: EventRecord) => string | null | undefined>> = {
  createdAtLocation: (record) => record.createdAtLocation,
  updatedAtLocation: (record) => record.updatedAtLocation,
  'legalStatuses.DECLARED.createdAtLocation': ({ legalStatuses }) => legalStatuses.DECLARED?.createdAtLocation,
  'legalStatuses.REGISTERED.createdAtLocation': ({ legalStatuses }) => legalStatuses.REGISTERED?.createdAtLocation,
};
