/** The inherent flags, and `inactive` (E-1). Other strings are flags too: an action's outcome, or a country's own. */
export const INHERENT_FLAGS = [
  'incomplete',
  'rejected',
  'correction-requested',
  'potential-duplicate',
  'edit-in-progress',
  'inactive',
] as const;

export type InherentFlag = (typeof INHERENT_FLAGS)[number];

/** `<action>:<outcome>`, an inherent flag, or a configured flag. */
export type EventFlag = string;

/** The statuses of events; REVOKED since release 2.1 (E-1). */
export const EVENT_STATUSES = ['CREATED', 'NOTIFIED', 'DECLARED', 'REGISTERED', 'ARCHIVED', 'REVOKED'] as const;

export type EventStatus = (typeof EVENT_STATUSES)[number];

export const isEventStatus = (value: unknown): value is EventStatus => EVENT_STATUSES.includes(value as EventStatus);
