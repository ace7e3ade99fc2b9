import { builtInCustomAction } from '../life-cycle/custom-actions.js';
import type { EventAction } from '../event-action.js';
import { actionKey } from './event-configuration.js';
import type { ActionSettings, EventType } from './event-type.js';

/** Which action is meant: custom ones by their names. */
export type NamedAction = Pick<EventAction, 'type' | 'customActionType'>;

/** What is configured of an action. A notification follows a declaration, where it has nothing of its own. */
export function settingsOf(
  { actions }: EventType,
  { type, customActionType }: NamedAction,
): ActionSettings | undefined {
  const own = actions.get(actionKey(type, customActionType));
  return own ?? (type === 'NOTIFY' ? actions.get(actionKey('DECLARE', null)) : undefined);
}

/** Whether the action exists for events of the type: without a form every custom one does, otherwise those listed. */
export const isConfigured = ({ actions, fields }: EventType, { type, customActionType }: NamedAction): boolean =>
  type !== 'CUSTOM' ||
  fields === undefined ||
  builtInCustomAction(customActionType) !== undefined ||
  actions.has(actionKey(type, customActionType));
