import { escapedJson } from './escaped-json.js';

/**
 * `standard` is the body of the interface. `opencrvs-1x` is what running releases 1.x actually sent, for receivers
 * written against them: `hub.format` of a subscription selects it.
 */
export const NOTIFICATION_FORMATS = ['standard', 'opencrvs-1x'] as const;

/** One of the formats in which a notification is sent (W-14). */
export type NotificationFormat = (typeof NOTIFICATION_FORMATS)[number];

/** A context as written in a body of the format, byte for byte. */
export function contextText(context: unknown, format: NotificationFormat): string {
  return format === 'standard' ? escapedJson(context) : JSON.stringify(context);
}
