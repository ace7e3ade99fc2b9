import fc from 'fast-check';

import { availableActions, refusalOf } from '../../src/kernel/domain/life-cycle/available-actions.js';
import type { Instant } from '../../src/kernel/domain/calendar.js';
import type {
  ActionType,
  DeclarationChange,
  EventAction,
  EventDocument,
} from '../../src/kernel/domain/event-action.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { aUuid } from './builders/a-uuid.js';
import { anAction } from './builders/an-action.js';

/** One step in the life of an event: which of the allowed actions, what it changes, and what becomes of it. */
export interface Step {
  readonly event: number;
  readonly choice: number;
  readonly outcome: 'Requested' | 'Accepted' | 'Rejected';
  readonly change: DeclarationChange;
  readonly author: Pick<EventAction, 'createdBy' | 'createdByUserType' | 'createdByRole' | 'createdAtLocation'>;
}

const author = (createdBy: string, createdByUserType: 'user' | 'system', createdByRole: string | null) => ({
  createdBy,
  createdByUserType,
  createdByRole,
  createdAtLocation: aUuid(0xa2),
});

/** Steps of so many events. */
export const steps = (events: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      event: fc.nat(events - 1),
      choice: fc.nat(1_000),
      outcome: fc.constantFrom('Requested', 'Accepted', 'Accepted', 'Accepted', 'Rejected'),
      change: fc.dictionary(
        fc.constantFrom('child.dob', 'child.name', 'informant.relation', 'mother.address', 'child.birthLocation'),
        fc.constantFrom<DeclarationChange[string]>(
          ...[null, '2024-02-29', '1999-12-31', 'MOTHER', { firstname: 'Ama' }, { firstname: null, surname: 'Kofi' }],
          ...[{ addressType: 'DOMESTIC', administrativeArea: aUuid(0xa5) }, aUuid(0xa6)],
        ),
        { maxKeys: 3 },
      ),
      author: fc.constantFrom(
        author('registrar', 'user', 'LOCAL_REGISTRAR'),
        author('clerk', 'user', 'CLERK'),
        author('clinic', 'system', null),
      ),
    }),
    { minLength: 10, maxLength: 30 },
  );

/** Actions that no state refuses, beside those that it lists. */
const ALWAYS: readonly ActionType[] = ['READ', 'ASSIGN', 'UNASSIGN', 'DUPLICATE_DETECTED', 'MARK_AS_NOT_DUPLICATE'];

const CUSTOM_ACTIONS = ['SEAL', 'UNSEAL', 'VALIDATE_DECLARATION', 'COPY_FROM_PAPER'];

/** The actions of a step: an action that the state of the record allows, or the answer to one that waits. */
export function actionsOf(step: Step, { actions }: EventDocument, record: EventRecord, now: Instant): EventAction[] {
  const { choice, outcome, change, author } = step;
  const pending = actions.find(
    ({ id, status }) => status === 'Requested' && !actions.some(({ originalActionId }) => originalActionId === id),
  );
  if (pending !== undefined && choice % 2 === 0) return [answered(pending, outcome, now)];
  const allowed = [...availableActions(record), ...ALWAYS].filter((type) => type !== 'DELETE');
  const type = allowed[choice % allowed.length] ?? 'READ';
  const customActionType = type === 'CUSTOM' ? (CUSTOM_ACTIONS[choice % 4] ?? null) : null;
  if (refusalOf(type, record, customActionType) !== undefined) return [];
  const base = { ...author, type, customActionType, createdAt: now, ...contentOf(type, actions) };
  if (ALWAYS.includes(type)) return [anAction(base)];
  const request = anAction({
    ...base,
    status: 'Requested',
    declaration: change,
    annotation: { 'review.comment': 'x' },
  });
  return outcome === 'Requested' ? [request] : [request, answered(request, outcome, now)];
}

function answered(request: EventAction, outcome: Step['outcome'], createdAt: Instant): EventAction {
  const id = aUuid();
  const status = outcome === 'Rejected' ? 'Rejected' : 'Accepted';
  const isRegistered = request.type === 'REGISTER' && status === 'Accepted';
  return {
    ...request,
    id,
    status,
    createdAt,
    originalActionId: request.id,
    declaration: {},
    annotation: null,
    createdBy: 'country-configuration',
    createdByUserType: 'system' as const,
    registrationNumber: isRegistered ? `R-${id}` : null,
  };
}

function contentOf(type: ActionType, actions: readonly EventAction[]): Partial<EventAction> {
  switch (type) {
    case 'ASSIGN':
      return { assignedTo: 'registrar' };
    case 'DUPLICATE_DETECTED':
      return { duplicates: [{ id: aUuid(0xdd), trackingId: 'DUPL1C' }] };
    case 'APPROVE_CORRECTION':
    case 'REJECT_CORRECTION':
      return { requestId: actions.findLast((action) => action.type === 'REQUEST_CORRECTION')?.id ?? null };
    default:
      return {};
  }
}
