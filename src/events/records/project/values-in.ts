/** Counts members at all levels. */
export function valuesIn(objects: readonly (object | null)[]): number {
  let values = 0;
  const left = [...objects];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    for (const member of Object.values(value ?? {}) as readonly unknown[]) {
      values += 1;
      if (typeof member === 'object' && member !== null) left.push(member);
    }
  }
  return values;
}
