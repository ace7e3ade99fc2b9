import { derivedUuid } from '../../kernel/domain/derived-uuid.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/** Derived from the request's id: equal answers are one. */
export const answerIdOf = ({ id }: Pick<EventAction, 'id'>, answer: 'accepted' | 'rejected'): Uuid =>
  derivedUuid(id, answer);

/** Applies the request. */
export const acceptanceOf = (requested: EventAction, registrationNumber: string | null): EventAction => ({
  ...requested,
  id: answerIdOf(requested, 'accepted'),
  status: 'Accepted',
  declaration: {},
  annotation: null,
  originalActionId: requested.id,
  registrationNumber,
});
