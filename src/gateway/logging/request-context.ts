import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestContext {
  /** In the answer, and in every log line (G-5). */
  readonly correlationId: string;
}

/** Everything that `run` begins is within the request, however late it follows. */
export const requestContexts = new AsyncLocalStorage<RequestContext>();

/** The request that the running code belongs to; undefined outside of any. */
export const currentRequest = (): RequestContext | undefined => requestContexts.getStore();
