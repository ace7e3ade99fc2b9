import type { EventAction, EventDocument } from '../../kernel/domain/event-action.js';

/** Upstream's format; members without a value are absent. */
export const eventDocumentView = ({ actions, ...event }: EventDocument): Readonly<Record<string, unknown>> => ({
  ...event,
  actions: actions.map(eventActionView),
});

/** Upstream's format: duplicates are in `content`; undefined is left out of JSON. `parseEventActions` reads it back. */
export const eventActionView = (action: EventAction) => ({
  id: action.id,
  transactionId: action.transactionId,
  type: action.type,
  status: action.status,
  createdAt: action.createdAt,
  createdBy: action.createdBy,
  createdByUserType: action.createdByUserType ?? undefined,
  createdByRole: action.createdByRole ?? undefined,
  createdAtLocation: action.createdAtLocation ?? undefined,
  declaration: action.declaration,
  annotation: action.annotation ?? undefined,
  originalActionId: action.originalActionId ?? undefined,
  assignedTo: action.assignedTo ?? undefined,
  registrationNumber: action.registrationNumber ?? undefined,
  requestId: action.requestId ?? undefined,
  customActionType: action.customActionType ?? undefined,
  content:
    (action.type === 'DUPLICATE_DETECTED' ? { ...action.content, duplicates: action.duplicates } : action.content) ??
    undefined,
});
