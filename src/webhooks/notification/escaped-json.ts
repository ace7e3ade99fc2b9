/**
 * Compact JSON in ASCII: every code unit from U+0080 on as `\uXXXX` with lower-case hex (W-4). Decoded again it is the same value.
 */
export const escapedJson = (value: unknown): string => escaped(JSON.stringify(value));

/** The same of JSON text. */
export const escaped = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
