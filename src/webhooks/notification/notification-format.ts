import type { Steps } from '../../platform/queue/time-slice.js';
import { escaped } from './escaped-json.js';

/**
 * `standard` is the body of the interface. `opencrvs-1x` is what running releases 1.x actually sent, for receivers
 * written against them: `hub.format` of a subscription selects it.
 */
export const NOTIFICATION_FORMATS = ['standard', 'opencrvs-1x'] as const;

/** One of the formats in which a notification is sent (W-14). */
export type NotificationFormat = (typeof NOTIFICATION_FORMATS)[number];

/**
 * A context as written in a body of the format, byte for byte. Each step takes some ten milliseconds for the largest:
 * with files, eleven million characters.
 */
export function* contextText(context: unknown, format: NotificationFormat): Steps<string> {
  const json = JSON.stringify(context);
  if (format !== 'standard') return json;
  yield;
  return escaped(json);
}
