declare global {
  /** Set by `global-setup.ts` for `global-teardown.ts`, which runs in the same process but shares no module with it. */
  var stopTestServer: (() => Promise<void>) | undefined;
  /** Of one spec file: ends what its hooks have not ended (`left-over.ts`). */
  var leftOver: Set<() => Promise<unknown>> | undefined;
}

export {};
