import { invalidInput } from '../../errors/invalid-input.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a body, without a byte order mark. Throws 400 for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw invalidInput('body: is not valid UTF-8', { cause });
  }
}
