import { AsyncLocalStorage } from 'node:async_hooks';

/** What everything that happens for one request shares. */
export interface RequestContext {
  /** In the answer, and in every log line (G-5). */
  readonly correlationId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` and everything that follows from it, however late, within a request. */
export const withinRequest = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** The request that the running code belongs to; undefined outside of any. */
export const currentRequest = (): RequestContext | undefined => storage.getStore();
