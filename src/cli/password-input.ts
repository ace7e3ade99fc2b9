import { text } from 'node:stream/consumers';

import { WrongUsage } from './wrong-usage.js';

/** Such as `process.stdin`. */
type PasswordInput = AsyncIterable<unknown> & { readonly isTTY?: boolean };

/** Throws on a terminal, which would show it. */
export async function passwordOn(input: PasswordInput): Promise<string> {
  if (input.isTTY === true) throw new WrongUsage(ON_TERMINAL);
  return (await text(input)).replace(/\r?\n$/, '');
}

const ON_TERMINAL =
  '--password-stdin: standard input is a terminal, which would show the password; send it from a file or a pipe';
