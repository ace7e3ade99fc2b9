import { derivedUuid } from '../../kernel/domain/derived-uuid.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/**
 * The id of an answer to a requested action. It follows from that of the request, so that two answers alike, whoever
 * tells of them, are one.
 */
export const answerIdOf = ({ id }: Pick<EventAction, 'id'>, answer: 'accepted' | 'rejected'): Uuid =>
  derivedUuid(id, answer);

/** The one acceptance of a requested action. What was requested is applied through the request. */
export const acceptanceOf = (requested: EventAction, registrationNumber: string | null): EventAction => ({
  ...requested,
  id: answerIdOf(requested, 'accepted'),
  status: 'Accepted',
  declaration: {},
  annotation: null,
  originalActionId: requested.id,
  registrationNumber,
});
