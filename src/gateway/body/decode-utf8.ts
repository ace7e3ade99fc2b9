import { ServiceError } from '../../errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a body, without a byte order mark. Throws 400 for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new ServiceError('BAD_REQUEST', ERROR_MESSAGES.BAD_REQUEST, {
      issues: [{ message: 'body: is not valid UTF-8' }],
      cause,
    });
  }
}
