import { INVALID_INPUT } from '../../errors/faults.js';
import { ServiceError } from '../../errors/service-error.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a body, without a byte order mark. Throws 400 for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new ServiceError('BAD_REQUEST', INVALID_INPUT, {
      issues: [{ message: 'body: is not valid UTF-8' }],
      cause,
    });
  }
}
