import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { ActionType, DeclarationChange, EventAction } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { BOUNDS_OF_ENDINGS, requireRoomOutside } from '../records/history-bounds.js';
import { excessOnceAccepted } from '../operations/decisions/requirements.js';
import type { Command } from '../write/command.js';
import { confirmedActions, requesterOf, standingOf, type Verdict } from './confirmed-actions.js';
import { requireConfirmedForm, whyGoneOn } from './confirmed-record.js';
import type { CountryAnswer } from './country-answer.js';

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
