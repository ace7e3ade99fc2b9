/** The statuses of events; REVOKED since release 2.1 (E-1). */
export const EVENT_STATUSES = ['CREATED', 'NOTIFIED', 'DECLARED', 'REGISTERED', 'ARCHIVED', 'REVOKED'] as const;

export type EventStatus = (typeof EVENT_STATUSES)[number];

export const isEventStatus = (value: unknown): value is EventStatus => EVENT_STATUSES.includes(value as EventStatus);
