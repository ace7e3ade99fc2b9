/** Marks an unreachable branch: adding a case to a union breaks the build wherever it is not handled. */
export function absurd(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
