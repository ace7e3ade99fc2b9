/**
 * Notes how to end or remove what a spec file is about to make, and yields that, to be called once it is done with.
 * What was not ended when the file's last hook has run, as after a failed `beforeAll`, is ended then
 * (`spec-environment.ts`).
 */
export function endedWithFile(end: () => Promise<unknown>): () => Promise<void> {
  const ends = (globalThis.leftOver ??= new Set());
  ends.add(end);
  return async () => {
    if (ends.delete(end)) await end();
  };
}
