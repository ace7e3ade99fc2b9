import { derivedUuid } from '../../kernel/domain/derived-uuid.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/** Derived from the request's id, so that equal answers from different sources are one. */
export const answerIdOf = ({ id }: Pick<EventAction, 'id'>, answer: 'accepted' | 'rejected'): Uuid =>
  derivedUuid(id, answer);

/** The acceptance of a requested action, which applies the request. */
export const acceptanceOf = (requested: EventAction, registrationNumber: string | null): EventAction => ({
  ...requested,
  id: answerIdOf(requested, 'accepted'),
  status: 'Accepted',
  declaration: {},
  annotation: null,
  originalActionId: requested.id,
  registrationNumber,
});
