import { errorCode } from './error-code.js';

/**
 * The message, or else the code. An aggregate without a message, such as of a host with two dead addresses, lists those
 * of its errors.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const several: unknown = Reflect.get(error, 'errors');
  if (Array.isArray(several)) return [...new Set(several.map(messageOf))].join('; ');
  return errorCode(error) ?? String(error);
}
