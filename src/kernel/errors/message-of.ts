import { errorCode } from './error-code.js';

/** The message, else the code, else those of an aggregate's errors, such as for a host with two dead addresses. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const several: unknown = Reflect.get(error, 'errors');
  if (Array.isArray(several)) return [...new Set(several.map(messageOf))].join('; ');
  return errorCode(error) ?? String(error);
}
