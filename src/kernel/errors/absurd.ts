/** Marks an unreachable branch: an unhandled case of a union breaks the build. */
export function absurd(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
