/** TypeORM renames the driver's error. */
export function causes(error: unknown): readonly object[] {
  const found: object[] = [];
  for (let next = error; typeof next === 'object' && next !== null && !found.includes(next); next = causeOf(next)) {
    found.push(next);
  }
  return found;
}

function causeOf(error: object): unknown {
  if ('driverError' in error) return error.driverError;
  return 'cause' in error ? error.cause : undefined;
}
