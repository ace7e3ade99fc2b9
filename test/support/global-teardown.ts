/** Ends what `global-setup.ts` started. */
export default async function tearDown(): Promise<void> {
  await globalThis.stopTestServer?.();
}
