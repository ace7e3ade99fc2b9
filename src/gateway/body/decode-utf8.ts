import { invalidInput } from '../../kernel/errors/faults.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a body, without a byte order mark. Throws 400 for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw invalidInput('body: is not valid UTF-8', { cause });
  }
}

/** Percent escapes in a row. */
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/** The parameters of a form. Throws 400 for bytes that are not UTF-8, escaped ones included (G-6). */
export function decodeForm(bytes: Buffer): URLSearchParams {
  const text = decodeUtf8(bytes);
  try {
    for (const [escaped] of text.matchAll(ESCAPES)) decodeURIComponent(escaped);
  } catch (cause) {
    throw invalidInput('body: is not valid UTF-8', { cause });
  }
  return new URLSearchParams(text);
}
