/** Compact ASCII JSON: every code unit from U+0080 on is `\uXXXX` with lower-case hex (W-4). */
export const escapedJson = (value: unknown): string => escaped(JSON.stringify(value));

export const escaped = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
