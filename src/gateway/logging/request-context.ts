import { AsyncLocalStorage } from 'node:async_hooks';

/** What everything that happens for one request shares. */
export interface RequestContext {
  /** In the answer, and in every log line (G-5). */
  readonly correlationId: string;
}

/** What `run` begins, and everything that follows from it, however late, is within the request. */
export const requestContexts = new AsyncLocalStorage<RequestContext>();

/** The request that the running code belongs to; undefined outside of any. */
export const currentRequest = (): RequestContext | undefined => requestContexts.getStore();
