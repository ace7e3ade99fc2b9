import type { ActionStatus, ActionType } from '../event-action.js';

/** W-1. */
export const TOPICS = [
  'BIRTH_REGISTERED',
  'DEATH_REGISTERED',
  'BIRTH_CERTIFIED',
  'DEATH_CERTIFIED',
  'BIRTH_CORRECTED',
  'DEATH_CORRECTED',
] as const;

/** A topic of subscriptions. */
export type Topic = (typeof TOPICS)[number];

/** Whether it is one of `TOPICS`. */
export const isTopic = (value: unknown): value is Topic => TOPICS.includes(value as Topic);

/** An action that was added to an event: it decides whether anybody is notified. */
export interface Change {
  /** The event's `type`. */
  readonly eventType: string;
  readonly action: ActionType;
  readonly status: ActionStatus;
}

const OUTCOMES: ReadonlyMap<ActionType, 'REGISTERED' | 'CERTIFIED' | 'CORRECTED'> = new Map([
  ['REGISTER', 'REGISTERED'],
  ['PRINT_CERTIFICATE', 'CERTIFIED'],
  ['APPROVE_CORRECTION', 'CORRECTED'],
]);
const SUBJECTS: ReadonlyMap<string, 'BIRTH' | 'DEATH'> = new Map([
  ['birth', 'BIRTH'],
  ['death', 'DEATH'],
]);

/** The topics under which an action may be published, whatever the type of its event. */
export const topicsOfAction = (action: ActionType): readonly Topic[] =>
  [...SUBJECTS.keys()].flatMap((eventType) => topicOfChange({ eventType, action, status: 'Accepted' }) ?? []);

/** The topic under which a change is published; undefined if it has none (W-11). */
export function topicOfChange({ eventType, action, status }: Change): Topic | undefined {
  const subject = SUBJECTS.get(eventType);
  const outcome = OUTCOMES.get(action);
  if (status !== 'Accepted' || subject === undefined || outcome === undefined) return undefined;
  return `${subject}_${outcome}`;
}
