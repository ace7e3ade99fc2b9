import type { Instant } from '../../../kernel/domain/calendar.js';
import type { EventAction, EventDocument } from '../../../kernel/domain/event-action.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { type Faults, memberPath } from '../../../kernel/errors/faults.js';
import { BoundedFaults } from '../../../kernel/input/bounded-faults.js';
import { Members } from '../../../kernel/input/members.js';
import { INSTANT, NAME, outcomeOf, type Parsed, UUID } from '../../../kernel/input/readers.js';
import { checkNames } from './declaration-values.js';
import { parseEventActions } from './parse-event-action.js';

/**
 * `{id, type, trackingId, actions}` with at least one action (R-2, R-3). `createdAt` and `updatedAt` default to the
 * actions' first and last time. Unknown keys are ignored.
 */
export function parseEventDocument(value: unknown): Parsed<EventDocument> {
  const faults = new BoundedFaults();
  const members = Members.of(value, '', faults);
  if (members === undefined) return { kind: 'faulty', issues: faults.issues };
  const actions = members.parsed('actions', parseHistory);
  const times = actions.map((action) => action.createdAt).toSorted();
  const document: EventDocument = {
    id: members.required('id', UUID),
    type: members.required('type', NAME),
    trackingId: members.required('trackingId', NAME),
    createdAt: members.nullable('createdAt', INSTANT) ?? (times[0] as Instant),
    updatedAt: members.nullable('updatedAt', INSTANT) ?? (times.at(-1) as Instant),
    actions,
  };
  return outcomeOf(document, faults);
}

function parseHistory(value: unknown, path: string, faults: Faults): readonly EventAction[] {
  const actions = parseEventActions(value, path, faults);
  actions.forEach(({ declaration }, at) => {
    checkNames(declaration, memberPath(memberPath(path, at), 'declaration'), faults);
  });
  if (faults.none) checkTogether(actions, path, faults);
  return actions;
}

/** Ids are unique, and an accepted registration has its number. */
function checkTogether(actions: readonly EventAction[], path: string, faults: Faults): void {
  const seen = new Map<Uuid, EventAction>();
  actions.forEach((action, at) => {
    if (seen.has(action.id)) faults.add(memberPath(memberPath(path, at), 'id'), 'is that of an earlier action');
    seen.set(action.id, action);
  });
  actions.forEach((action, at) => {
    if (action.type !== 'REGISTER' || action.status !== 'Accepted' || action.registrationNumber !== null) return;
    const original = action.originalActionId === null ? undefined : seen.get(action.originalActionId);
    if (original === undefined || original.registrationNumber === null) {
      faults.add(
        memberPath(memberPath(path, at), 'registrationNumber'),
        `is required of an accepted REGISTER and ${NAME.expected}`,
      );
    }
  });
}
