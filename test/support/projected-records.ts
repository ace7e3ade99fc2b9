import type { EventAction } from '../../src/kernel/domain/event-action.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { projectEvent } from '../../src/events/records/project-event.js';
import { anAction } from './builders/an-action.js';
import { anEventDocument } from './builders/an-event-document.js';
import { anInstant } from './builders/an-instant.js';
import { WITHOUT_FORMS } from './without-forms.js';

/** The nth minute of the event. */
export const minute = (n: number) => anInstant(new Date(Date.UTC(2026, 0, 2, 8, n)).toISOString());

/** Actions a minute apart, in the order given. */
export const inTurn = (...actions: readonly Partial<EventAction>[]): readonly EventAction[] =>
  actions.map((action, n) => anAction({ createdAt: minute(n), ...action }));

/** The record that follows from these actions, a minute apart. */
export const recordOf = (...actions: readonly Partial<EventAction>[]): EventRecord =>
  projectEvent(anEventDocument({ actions: inTurn(...actions) }), WITHOUT_FORMS).record;

/** The record that follows from an imported one and these actions. */
export const onTopOf = (imported: EventRecord, ...actions: readonly Partial<EventAction>[]): EventRecord =>
  projectEvent(anEventDocument({ ...imported, actions: actions.map((action) => anAction(action)) }), WITHOUT_FORMS, {
    record: imported,
    actions: 0,
  }).record;

/** The action that every event begins with. */
export const CREATE: Partial<EventAction> = { type: 'CREATE' };
