import type { Instant } from '../../kernel/domain/calendar.js';
import { derivedUuid, type Uuid } from '../../kernel/domain/uuid.js';
import type { DeclarationChange, EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { UserType } from '../../kernel/domain/author.js';
import { assigneeAfter } from '../records/project/project-event.js';
import { answerIdOf } from '../write/acceptance.js';

/** The state of the action that an id names. */
export type Standing =
  | { readonly kind: 'unknown' }
  /** It is there, but nobody is asked to confirm it: it was accepted at once, or is itself a confirmation. */
  | { readonly kind: 'not awaiting'; readonly action: EventAction }
  | { readonly kind: 'pending' | 'accepted' | 'rejected'; readonly action: EventAction };

export function standingOf(actions: readonly EventAction[], id: string): Standing {
  const action = actions.find((candidate) => candidate.id === id);
  if (action === undefined) return { kind: 'unknown' };
  if (action.status !== 'Requested') return { kind: 'not awaiting', action };
  const answers = actions.filter(({ originalActionId }) => originalActionId === id);
  if (answers.some(({ status }) => status === 'Accepted')) return { kind: 'accepted', action };
  if (answers.some(({ status }) => status === 'Rejected')) return { kind: 'rejected', action };
  return { kind: 'pending', action };
}

/** Who has taken the event since the action was requested, and still has it; undefined if nobody has (E-14). */
export function takenSince(actions: readonly EventAction[], requested: EventAction): string | undefined {
  const since = actions.slice(actions.findIndex(({ id }) => id === requested.id) + 1);
  return assigneeAfter(null, since) ?? undefined;
}

/** Who confirms: a system client, or whoever requested the action where the country configuration has answered. */
export interface Confirmer {
  readonly transactionId: string;
  readonly createdBy: string;
  readonly createdByUserType: UserType | null;
  readonly createdByRole: string | null;
  readonly createdAtLocation: Uuid | null;
}

/** How an action is confirmed. */
export interface Verdict {
  readonly status: 'Accepted' | 'Rejected';
  readonly declaration: DeclarationChange;
  readonly annotation: DeclarationChange | null;
  /** Replaces that of the request. */
  readonly content?: Readonly<Record<string, unknown>>;
  readonly registrationNumber?: string | undefined;
  /** Whether whoever had the event at the time of the request keeps it. */
  readonly keepsAssignment: boolean;
}

/** The event of a request; an imported one may have been taken before its first action. */
interface Confirmed {
  readonly document: Pick<EventDocument, 'actions'>;
  readonly record: Pick<EventRecord, 'assignedTo'>;
}

/**
 * The acceptance or rejection of a requested action, and an UNASSIGN if the requester has the event and does not keep
 * it.
 */
export function confirmedActions(
  { document, record }: Confirmed,
  requested: EventAction,
  { by, now, verdict }: { readonly by: Confirmer; readonly now: Instant; readonly verdict: Verdict },
): readonly EventAction[] {
  const isAccepted = verdict.status === 'Accepted';
  const answer: EventAction = {
    ...requested,
    ...by,
    id: answerIdOf(requested, isAccepted ? 'accepted' : 'rejected'),
    status: verdict.status,
    createdAt: now,
    declaration: verdict.declaration,
    annotation: verdict.annotation,
    originalActionId: requested.id,
    registrationNumber: isAccepted ? (verdict.registrationNumber ?? null) : null,
    content: verdict.content ?? requested.content,
  };
  const isHeld = record.assignedTo !== null && takenSince(document.actions, requested) === undefined;
  return isHeld && !verdict.keepsAssignment ? [answer, unassignment(answer)] : [answer];
}

/** The confirmer of an action that its requester need not wait for. */
export const requesterOf = ({
  transactionId,
  createdBy,
  createdByUserType,
  createdByRole,
  createdAtLocation,
}: EventAction): Confirmer => ({ transactionId, createdBy, createdByUserType, createdByRole, createdAtLocation });

const unassignment = (answer: EventAction): EventAction => ({
  ...answer,
  id: derivedUuid(answer.id, 'unassigned'),
  type: 'UNASSIGN',
  status: 'Accepted',
  declaration: {},
  annotation: null,
  originalActionId: null,
  registrationNumber: null,
  requestId: null,
  duplicates: [],
  customActionType: null,
  content: null,
});
