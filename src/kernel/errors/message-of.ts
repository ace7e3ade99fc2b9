import { errorCode } from './error-code.js';

/**
 * What an error says; its code where it says nothing. One that stands for several has no message of its own, such as
 * that of a host with two addresses neither of which answers: it says what each of them says.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const several: unknown = Reflect.get(error, 'errors');
  if (Array.isArray(several)) return [...new Set(several.map(messageOf))].join('; ');
  return errorCode(error) ?? String(error);
}
