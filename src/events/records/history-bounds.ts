import { MIB } from '../../kernel/domain/bytes.js';
import type { EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { UserType } from '../../kernel/domain/event-record.js';
import { Faults } from '../../kernel/errors/faults.js';
import { replayedValues, valuesIn } from './replay.js';
import type { StoredHistory } from './stored-events.js';

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

/**
 * Event limits, about a hundred times a usual record: readers replay all actions, in some milliseconds at these
 * limits.
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

/** For system clients and external events. */
const HISTORY_BOUNDS = boundsOf(5);

/** For users, so that no client can fill an event that must be sealed, archived or revoked. */
const BOUNDS_OF_USERS = boundsOf(6);

/** For endings: an answer to an earlier request, and unassignment. */
export const BOUNDS_OF_ENDINGS = boundsOf(7);

export const boundsFor = (userType: UserType): HistoryBounds =>
  userType === 'user' ? BOUNDS_OF_USERS : HISTORY_BOUNDS;

/** Undefined if nothing. */
export function excessOf(
  { actions, characters }: Pick<StoredHistory, 'actions' | 'characters'>,
  added: readonly EventAction[],
  most = HISTORY_BOUNDS,
): string | undefined {
  const count = actions.length + added.length;
  if (count > most.actions) return `${count} actions; at most ${most.actions} are allowed`;
  const length = characters + JSON.stringify(added.map(eventActionView)).length;
  if (length > most.characters) return `${length} characters of actions; at most ${most.characters} are allowed`;
  // Values are counted last and only if possible, since each takes some characters.
  if (length < most.values) return undefined;
  const values = valuesOf(actions) + valuesOf(added);
  return values > most.values ? `${values} values in its actions; at most ${most.values} are allowed` : undefined;
}

/** Throws 400, as for other faults of external input. */
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
 * Throws 400 if a replay would apply far too many values, since external answers and approvals can repeat one large
 * request. One of both per request never exceeds the limit.
 */
export function requireReplayable(actions: readonly EventAction[]): void {
  const values = replayedValues(actions, MOST_REPLAYED);
  if (values <= MOST_REPLAYED) return;
  const faults = new Faults();
  faults.add('actions', `would apply ${values} values to the declaration; at most ${MOST_REPLAYED} are allowed`);
  faults.throwIfAny();
}

/** An answered and approved request counts three times: itself, its answer and the approval. */
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
