/** Equal JSON values give equal text. Not for deeply nested values. */
export const canonicalJson = (value: unknown): string => JSON.stringify(inOrder(value));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return ['[', ...value.map(inOrder)];
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, inOrder(member)]);
  // In an object, keys that look like numbers would come first.
  return ['{', ...entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))];
}
