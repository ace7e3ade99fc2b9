/** Marks a branch that no value can reach: adding a case to a union breaks the build where it is not handled. */
export function absurd(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
