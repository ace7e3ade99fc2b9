import { builtInCustomAction } from '../life-cycle/custom-actions.js';
import type { EventAction } from '../event-action.js';
import { actionKey } from './event-configuration.js';
import type { ActionSettings, EventType } from './event-type.js';

export type NamedAction = Pick<EventAction, 'type' | 'customActionType'>;

/** A notification without settings of its own uses those of a declaration. */
export function settingsOf(
  { actions }: EventType,
  { type, customActionType }: NamedAction,
): ActionSettings | undefined {
  const own = actions.get(actionKey(type, customActionType));
  return own ?? (type === 'NOTIFY' ? actions.get(actionKey('DECLARE', null)) : undefined);
}

/** Without a form every custom action exists, otherwise those listed. */
export const isConfigured = ({ actions, fields }: EventType, { type, customActionType }: NamedAction): boolean =>
  type !== 'CUSTOM' ||
  fields === undefined ||
  builtInCustomAction(customActionType) !== undefined ||
  actions.has(actionKey(type, customActionType));
