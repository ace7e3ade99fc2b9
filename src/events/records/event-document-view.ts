import type { EventAction, EventDocument } from '../../kernel/domain/event-action.js';

/** An event document as upstream writes it, ready to be serialized: members without a value are absent. */
export const eventDocumentView = ({ actions, ...event }: EventDocument): Readonly<Record<string, unknown>> => ({
  ...event,
  actions: actions.map(eventActionView),
});

/**
 * One action as upstream writes it: duplicates are in `content`, and missing values are undefined, which JSON leaves
 * out. `parseEventActions` reads it back.
 */
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
