import type { Steps } from '../../platform/queue/time-slice.js';

/** Compact ASCII JSON: every code unit from U+0080 on is `\uXXXX` with lower-case hex (W-4). */
export const escapedJson = (value: unknown): string => escaped(JSON.stringify(value));

const escaped = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** `opencrvs-1x` is that of releases 1.x, for existing receivers; `hub.format` selects it. */
export const NOTIFICATION_FORMATS = ['standard', 'opencrvs-1x'] as const;

/** W-14. */
export type NotificationFormat = (typeof NOTIFICATION_FORMATS)[number];

/** Byte for byte. Each step takes at most some ten milliseconds: a context has up to eleven million characters. */
export function* contextText(context: unknown, format: NotificationFormat): Steps<string> {
  const json = JSON.stringify(context);
  if (format !== 'standard') return json;
  yield;
  return escaped(json);
}
