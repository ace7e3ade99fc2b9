import { asError } from '../../../kernel/errors/as-error.js';

/** Ends this wait alone, with the reason of `signal`. */
export function unlessAborted<T>(waitedFor: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return waitedFor;
  return new Promise((resolve, reject) => {
    const abandon = (): void => {
      reject(asError(signal.reason));
    };
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    waitedFor.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abandon);
    });
  });
}
