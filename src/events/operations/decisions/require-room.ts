import type { EventAction } from '../../../kernel/domain/event-action.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { excessOf, type HistoryBounds } from '../../records/history-bounds.js';
import type { CurrentEvent } from '../../write/current-event.js';

/** Throws 409 beyond Q-1. */
export function requireRoom(
  { stored }: Pick<CurrentEvent, 'stored'>,
  actions: readonly EventAction[],
  most: HistoryBounds,
): void {
  const excess = excessOf(stored, actions, most);
  if (excess !== undefined) throw new ServiceError('CONFLICT', `The event would have ${excess}`);
}
