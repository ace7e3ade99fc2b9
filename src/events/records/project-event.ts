import { type CalendarDate, type Instant, parseCalendarDate, utcDayOf } from '../../kernel/domain/calendar.js';
import type {
  Declaration,
  DeclarationValue,
  EventRecord,
  LegalStatus,
  PotentialDuplicate,
  RegisteredStatus,
} from '../../kernel/domain/event-record.js';
import type { EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventType } from '../../kernel/domain/event-configuration/event-type.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ActionHistory, ConfiguredFlags, replayDeclaration, replayFlags, replayStatus } from './replay.js';

interface EventCircumstances {
  readonly type: EventType;
  readonly createdAt: Instant;
  readonly createdAtLocation: Uuid | null;
  readonly declaration: Declaration;
}

/**
 * The declared date; null if unreadable; the UTC day of creation without date fields. An imported record's date holds
 * until the declared one changes.
 */
function dateOfEvent(event: EventCircumstances, imported: EventRecord | undefined): CalendarDate | null {
  const declared = declaredDate(event.type, event.declaration);
  if (imported !== undefined && declared === declaredDate(event.type, imported.declaration)) {
    return imported.dateOfEvent;
  }
  return declared ?? (event.type.dateOfEvent.length > 0 ? null : utcDayOf(event.createdAt));
}

/**
 * The declared location, or the area of a declared domestic address; otherwise the place of creation. An imported
 * record's holds until the declared one changes.
 */
function placeOfEvent(event: EventCircumstances, imported: EventRecord | undefined): Uuid | null {
  const declared = declaredPlace(event.type, event.declaration);
  if (imported !== undefined && declared === declaredPlace(event.type, imported.declaration)) {
    return imported.placeOfEvent;
  }
  return declared ?? event.createdAtLocation;
}

const declaredDate = (type: EventType, declaration: Declaration): CalendarDate | undefined =>
  firstOf(type.dateOfEvent, declaration, parseCalendarDate);

const declaredPlace = (type: EventType, declaration: Declaration): Uuid | undefined =>
  firstOf(type.placeOfEvent, declaration, placeIn);

function placeIn(value: DeclarationValue | undefined): Uuid | undefined {
  if (typeof value !== 'object' || !('addressType' in value)) return parseUuid(value);
  return value.addressType === 'DOMESTIC' ? parseUuid(value['administrativeArea']) : undefined;
}

function firstOf<T>(
  fieldIds: readonly string[],
  declaration: Declaration,
  read: (value: DeclarationValue | undefined) => T | undefined,
): T | undefined {
  for (const id of fieldIds) {
    const found = Object.hasOwn(declaration, id) ? read(declaration[id]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An imported record, and the number of actions it includes. */
export interface ImportedState {
  readonly record: EventRecord;
  readonly actions: number;
}

/** The record for searches, and its notifier, which scopes refer to. */
export interface ProjectedEvent {
  readonly record: EventRecord;
  readonly notified: { readonly createdBy: string; readonly createdAtLocation: Uuid | null } | undefined;
}

/**
 * Replays actions. An imported record is the state at its `updatedAt`: it includes actions known at the import or
 * older.
 */
export function projectEvent(
  document: EventDocument,
  configuration: EventConfiguration,
  imported?: ImportedState,
): ProjectedEvent {
  const history = ActionHistory.of(document.actions);
  const replayed = imported === undefined ? history : ActionHistory.of(actionsAfter(imported, document.actions));
  const base = imported?.record;

  const origin = {
    type: configuration.typeOf(document.type),
    ...(base === undefined ? creationOf(history, document) : creationFields(base)),
    declaration: replayDeclaration(base?.declaration ?? {}, replayed.actions, history),
  };
  const record: EventRecord = {
    id: document.id,
    type: document.type,
    status: replayStatus(base, replayed.actions),
    legalStatuses: {
      DECLARED: declaredStatus(replayed, history) ?? base?.legalStatuses.DECLARED ?? null,
      REGISTERED: registeredStatus(replayed, history) ?? base?.legalStatuses.REGISTERED ?? null,
    },
    createdAt: origin.createdAt,
    dateOfEvent: dateOfEvent(origin, base),
    placeOfEvent: placeOfEvent(origin, base),
    createdBy: origin.createdBy,
    createdByUserType: origin.createdByUserType,
    createdAtLocation: origin.createdAtLocation,
    updatedAt: lastUpdate(replayed, 'Accepted')?.createdAt ?? base?.updatedAt ?? origin.createdAt,
    ...updaterOf(replayed, history, base),
    assignedTo: assigneeAfter(base?.assignedTo ?? null, replayed.actions),
    trackingId: document.trackingId,
    potentialDuplicates: duplicatesAfter(base?.potentialDuplicates ?? [], replayed.actions),
    flags: replayFlags(
      base?.flags ?? [],
      replayed.actions,
      new ConfiguredFlags(origin.type, base?.declaration ?? {}, history),
    ),
    declaration: origin.declaration,
  };
  return { record, notified: notifierOf(history) };
}

/** `>=`: an action in the millisecond of `updatedAt` may be new; replaying an included one changes nothing. */
const actionsAfter = ({ record, actions }: ImportedState, all: readonly EventAction[]): readonly EventAction[] =>
  all.slice(actions).filter((action) => action.createdAt >= record.updatedAt);

type Creation = Pick<EventRecord, 'createdAt' | 'createdBy' | 'createdByUserType' | 'createdAtLocation'>;

/** From the CREATE, otherwise the first action. */
function creationOf({ actions }: ActionHistory, document: EventDocument): Creation {
  const creation = actions.find((action) => action.type === 'CREATE') ?? actions[0];
  if (creation === undefined) throw new Error(`event ${document.id} has no action and was not imported`);
  return creationFields(creation);
}

const creationFields = (source: Creation): Creation => ({
  createdAt: source.createdAt,
  createdBy: source.createdBy,
  createdByUserType: source.createdByUserType,
  createdAtLocation: source.createdAtLocation,
});

const lastUpdate = ({ actions }: ActionHistory, status?: EventAction['status']): EventAction | undefined =>
  actions.findLast((action) => LIFE_CYCLE[action.type].isUpdate && (status === undefined || action.status === status));

type Updater = Pick<EventRecord, 'updatedBy' | 'updatedByUserRole' | 'updatedAtLocation'>;

/** The author of the last requested update, whatever its result, since a machine may answer. */
function updaterOf(replayed: ActionHistory, history: ActionHistory, base: EventRecord | undefined): Updater {
  const update = lastUpdate(replayed);
  if (update === undefined) {
    return {
      updatedBy: base?.updatedBy ?? null,
      updatedByUserRole: base?.updatedByUserRole ?? null,
      updatedAtLocation: base?.updatedAtLocation ?? null,
    };
  }
  const author = history.originalOf(update) ?? update;
  return {
    updatedBy: author.createdBy,
    updatedByUserRole: author.createdByRole,
    updatedAtLocation: author.createdAtLocation,
  };
}

function declaredStatus(replayed: ActionHistory, history: ActionHistory): LegalStatus | undefined {
  const accepted = replayed.lastGiving('DECLARED');
  return accepted === undefined ? undefined : legalStatus(accepted, history);
}

/** Also undefined for a registration without a number, which has no legal force. */
function registeredStatus(replayed: ActionHistory, history: ActionHistory): RegisteredStatus | undefined {
  const accepted = replayed.lastGiving('REGISTERED');
  if (accepted === undefined) return undefined;
  const registrationNumber = accepted.registrationNumber ?? history.originalOf(accepted)?.registrationNumber;
  return registrationNumber ? { ...legalStatus(accepted, history), registrationNumber } : undefined;
}

function legalStatus(accepted: EventAction, history: ActionHistory): LegalStatus {
  const request = history.requestOf(accepted);
  return {
    createdAt: request.createdAt,
    createdBy: request.createdBy,
    createdAtLocation: request.createdAtLocation,
    createdByUserType: request.createdByUserType,
    acceptedAt: accepted.createdAt,
    createdByRole: request.createdByRole,
  };
}

/** Author of the last accepted notification. */
export function notifierOf(history: ActionHistory): ProjectedEvent['notified'] {
  const accepted = history.lastGiving('NOTIFIED');
  if (accepted === undefined) return undefined;
  const { createdBy, createdAtLocation } = history.requestOf(accepted);
  return { createdBy, createdAtLocation };
}

/** Null if unassigned. */
export function assigneeAfter(before: string | null, actions: readonly EventAction[]): string | null {
  const last = actions.findLast(
    ({ type, status }) => LIFE_CYCLE[type].assignment !== undefined && status === 'Accepted',
  );
  return last === undefined ? before : LIFE_CYCLE[last.type].assignment === 'assigned' ? last.assignedTo : null;
}

function duplicatesAfter(
  before: readonly PotentialDuplicate[],
  actions: readonly EventAction[],
): readonly PotentialDuplicate[] {
  const last = actions.findLast(
    ({ type, status }) => LIFE_CYCLE[type].potentialDuplicates !== undefined && status === 'Accepted',
  );
  return last === undefined ? before : LIFE_CYCLE[last.type].potentialDuplicates === 'listed' ? last.duplicates : [];
}
