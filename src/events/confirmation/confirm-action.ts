import type { Instant } from '../../kernel/domain/calendar.js';
import type { ActionType, DeclarationChange, EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { DeclarationValue, EventRecord, EventStatus, UserType } from '../../kernel/domain/event-record.js';
import { refusalOf } from '../../kernel/domain/life-cycle/available-actions.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import { derivedUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { declarationBefore, excessOnceAccepted } from '../operations/decisions/requirements.js';
import { requireForm } from '../records/faults-of-forms.js';
import { BOUNDS_OF_ENDINGS, requireRoomOutside } from '../records/history-bounds.js';
import { assigneeAfter } from '../records/project-event.js';
import { applyChange } from '../records/replay.js';
import { answerIdOf } from '../write/acceptance.js';
import type { Command, CurrentEvent } from '../write/command.js';
import type { CountryAnswer } from './country-answer.js';

/**
 * Why a request can no longer be accepted, undefined if it can. An older request must not replace the values of a later
 * one that was accepted first. Otherwise the state of the record decides, as for a new action.
 */
export function whyGoneOn(
  { document: { actions }, record }: Pick<CurrentEvent, 'document' | 'record'>,
  requested: EventAction,
): string | undefined {
  const { type, customActionType } = requested;
  const later = acceptedLater(actions, requested);
  if (later !== undefined) {
    return `The record has gone on: '${later.type}' was requested after this '${type}', and is accepted.`;
  }
  if (FOLLOWING[record.status]?.includes(type) === true) return undefined;
  const flags = record.flags.filter((flag) => !flag.endsWith(':requested'));
  const refusal = refusalOf(type, { status: record.status, flags }, customActionType);
  return refusal === undefined ? undefined : `The record has gone on: ${refusal}`;
}

/** Actions that may be requested behind a waiting NOTIFY or DECLARE (`isAllowedWhilePending`). */
const FOLLOWING: Readonly<Partial<Record<EventStatus, readonly ActionType[]>>> = {
  NOTIFIED: ['NOTIFY', 'DECLARE'],
  DECLARED: ['DECLARE'],
};

/** An accepted action that depends on the state of the record, and that was requested after this one. */
function acceptedLater(actions: readonly EventAction[], requested: EventAction): EventAction | undefined {
  const at = actions.findIndex(({ id }) => id === requested.id);
  const earlier = new Set(actions.slice(0, at).map(({ id }) => id));
  return actions
    .slice(at + 1)
    .find(
      ({ type, status, originalActionId }) =>
        status === 'Accepted' &&
        LIFE_CYCLE[type].isGated &&
        (originalActionId === null || !earlier.has(originalActionId)),
    );
}

/**
 * Throws 400 with what the form of the event's type refuses of what an acceptance would store (E-3): what was requested,
 * with what the acceptance changes. It was checked when it was requested, but of the record as it then was: one of the
 * two that may wait, NOTIFY and DECLARE, is accepted before the other.
 */
export function requireConfirmedForm(
  configuration: EventConfiguration,
  event: Pick<CurrentEvent, 'document' | 'record'>,
  requested: EventAction,
  change: DeclarationChange,
): void {
  const before: Record<string, DeclarationValue> = { ...declarationBefore(event, requested) };
  applyChange(before, requested.declaration);
  const all: Record<string, DeclarationChange[string]> = {};
  // Field ids are data: `constructor` may be one, and is not looked for in the prototype.
  for (const id of Object.keys(requested.declaration)) {
    all[id] = Object.hasOwn(before, id) ? (before[id] ?? null) : null;
  }
  Object.assign(all, change);
  requireForm(configuration.typeOf(event.document.type), { action: requested.type, before, change: all });
}

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
interface ConfirmedAction {
  readonly document: Pick<EventDocument, 'actions'>;
  readonly record: Pick<EventRecord, 'assignedTo'>;
}

/**
 * The acceptance or rejection of a requested action, and an UNASSIGN if the requester has the event and does not keep
 * it.
 */
export function confirmedActions(
  { document, record }: ConfirmedAction,
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

/** Whether the event holds the outcome now, or held one before. */
export type Confirmed = 'confirmed' | 'over';

/** The request of which the country configuration has said something. */
export interface AnsweredRequest {
  readonly eventId: Uuid;
  readonly actionId: Uuid;
  readonly actionType: ActionType;
  /** The request's; its confirmation has it too (G-5). */
  readonly correlationId?: string;
}

/** A 200 or a 400. */
export type DecidingAnswer = Extract<CountryAnswer, { readonly kind: 'accepted' | 'rejected' }>;

/** Thrown by the command if nothing but a rejection can become of the request any more; the message says why. */
export class Unacceptable extends Error {}

/** In whose turn outcomes are written. */
const CLIENT = 'country configuration';
/** A command holds this in memory beside its declaration. */
const BYTES = 4_096;

/**
 * Writes what the country configuration has said to the event, in the name of whoever requested the action (E-7): once,
 * however often it has said it, since the event shows that it is answered. `decide` throws 400 for a declaration that
 * the form of the event's type refuses, and `Unacceptable` if the record has gone on, if the form refuses what was
 * requested, if that would make the record too large, or if another event has the registration number that the country
 * configuration gave.
 */
export function confirmAction(
  configuration: EventConfiguration,
  request: AnsweredRequest,
  answer: DecidingAnswer,
): Command<Confirmed> {
  const { eventId, actionId, actionType, correlationId } = request;
  const isAccepted = answer.kind === 'accepted';
  const isRegistration = actionType === 'REGISTER';
  const given = isAccepted && isRegistration ? answer.registrationNumber : undefined;
  return {
    client: CLIENT,
    eventId,
    correlationId,
    size: BYTES + (isAccepted ? JSON.stringify([answer.declaration, answer.annotation]).length : 0),
    ...(isAccepted ? { publishes: [actionType] } : {}),
    ...(isAccepted && isRegistration && given === undefined ? { needs: 'registrationNumber' as const } : {}),
    decide: ({ event, now, registrationNumber }) => {
      const actions = event?.document.actions ?? [];
      const standing = standingOf(actions, actionId);
      if (event === undefined || standing.kind !== 'pending') return { answer: 'over' };
      if (isAccepted) {
        const goneOn = whyGoneOn(event, standing.action);
        if (goneOn !== undefined) throw new Unacceptable(goneOn);
        const excess = excessOnceAccepted(event, standing.action);
        if (excess !== undefined) throw new Unacceptable(`declaration: ${excess}`);
        requireFormOf(configuration, event, standing.action, answer.declaration);
      }
      const by = requesterOf(standing.action);
      const verdict = { ...verdictOf(answer), registrationNumber: given ?? registrationNumber };
      const added: readonly EventAction[] = confirmedActions(event, standing.action, { by, now, verdict });
      requireRoomOutside(event.stored, added, BOUNDS_OF_ENDINGS);
      return { answer: 'confirmed', change: { kind: 'append', actions: added } };
    },
    whenTaken: (value) => new Unacceptable(`${value}: is that of another event`),
  };
}

/** The form refuses the same of an answer that it refuses of the request. */
function requireFormOf(...asked: Parameters<typeof requireConfirmedForm>): void {
  const [, , , change] = asked;
  try {
    requireConfirmedForm(...asked);
  } catch (error) {
    if (!(error instanceof ServiceError) || Object.keys(change).length > 0) throw error;
    throw new Unacceptable(error.issues[0]?.message ?? error.message, { cause: error });
  }
}

/** A requester who asked to keep the event keeps it (E-14). */
function verdictOf(answer: DecidingAnswer): Verdict {
  if (answer.kind === 'accepted') {
    const { declaration, annotation } = answer;
    return { status: 'Accepted', declaration, annotation, keepsAssignment: true };
  }
  const annotation: DeclarationChange | null = answer.reason === undefined ? null : { reason: answer.reason };
  return { status: 'Rejected', declaration: {}, annotation, keepsAssignment: true };
}
