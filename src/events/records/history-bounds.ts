import { MIB } from '../../kernel/domain/bytes.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import type { UserType } from '../../kernel/domain/user-type.js';
import { Faults } from '../../kernel/errors/faults.js';
import { eventActionView } from './event-document-view.js';
import { replayedValues } from './project/replayed-values.js';
import { valuesIn } from './project/values-in.js';
import type { StoredHistory } from './stored-events.js';

/**
 * Event limits, about a hundred times a usual record: every reader replays all actions, which takes some
 * milliseconds at these limits.
 */
export interface HistoryBounds {
  readonly actions: number;
  /** At all levels of declarations, annotations and content. */
  readonly values: number;
  /** As stored. */
  readonly characters: number;
}

const boundsOf = (thousands: number): HistoryBounds => ({
  actions: thousands * 1_000,
  values: thousands * 10_000,
  characters: (thousands - 1) * MIB,
});

/** For what system clients ask for, and for what comes from outside. */
const HISTORY_BOUNDS = boundsOf(5);

/** For what users ask for: no client can fill an event so that nobody can seal, archive or revoke it. */
const BOUNDS_OF_USERS = boundsOf(6);

/** For what ends something: an answer to what was requested before, and giving an event back. */
export const BOUNDS_OF_ENDINGS = boundsOf(7);

/** For what somebody asks for. */
export const boundsFor = (userType: UserType): HistoryBounds =>
  userType === 'user' ? BOUNDS_OF_USERS : HISTORY_BOUNDS;

/** What the history would have too much of with these actions added to it; undefined if there is room for them. */
export function excessOf(
  { actions, characters }: Pick<StoredHistory, 'actions' | 'characters'>,
  added: readonly EventAction[],
  most = HISTORY_BOUNDS,
): string | undefined {
  const count = actions.length + added.length;
  if (count > most.actions) return `${count} actions; at most ${most.actions} are allowed`;
  const length = characters + JSON.stringify(added.map(eventActionView)).length;
  if (length > most.characters) return `${length} characters of actions; at most ${most.characters} are allowed`;
  // Counted last, and only where there may be as many: each takes some characters.
  if (length < most.values) return undefined;
  const values = valuesOf(actions) + valuesOf(added);
  return values > most.values ? `${values} values in its actions; at most ${most.values} are allowed` : undefined;
}

/** Throws 400, as for any other fault of what comes from outside, if there is no room for these actions. */
export function requireRoomOutside(
  stored: Pick<StoredHistory, 'actions' | 'characters'>,
  added: readonly EventAction[],
  most?: HistoryBounds,
): void {
  const excess = excessOf(stored, added, most);
  if (excess === undefined) return;
  const faults = new Faults();
  faults.add('actions', `would be ${excess}`);
  faults.throwIfAny();
}

/**
 * Throws 400 if a replay of these actions would apply far more values than they may have: any number of answers and
 * approvals that come from outside can name one large request, and each applies it again. Where each request has one of
 * both, no values that an event may have are too many.
 */
export function requireReplayable(actions: readonly EventAction[]): void {
  const values = replayedValues(actions, MOST_REPLAYED);
  if (values <= MOST_REPLAYED) return;
  const faults = new Faults();
  faults.add('actions', `would apply ${values} values to the declaration; at most ${MOST_REPLAYED} are allowed`);
  faults.throwIfAny();
}

/** Of an answered and approved request: by itself, by its answer, and by the approval. */
const MOST_REPLAYED = 3 * HISTORY_BOUNDS.values;

const valuesOf = (actions: readonly EventAction[]): number =>
  valuesIn(
    actions.flatMap(({ declaration, annotation, content, duplicates }) => [
      declaration,
      annotation,
      content,
      duplicates,
    ]),
  );
