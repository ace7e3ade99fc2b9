/**
 * Below 0, 0 or above it, by code point: JavaScript's own order is by UTF-16 unit. UTF-8 keeps the order of code
 * points.
 */
export const compareCodePoints = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));
