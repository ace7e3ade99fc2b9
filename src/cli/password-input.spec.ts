import { Readable } from 'node:stream';

import { passwordOn } from './users.command.js';
import { WrongUsage } from './options.js';

describe('a password on standard input', () => {
  it.each([['a b c\n'], ['a b c\r\n'], ['a b c']])('is all of it but for the end of its line: %j', async (sent) => {
    expect(await passwordOn(Readable.from([Buffer.from(sent)]))).toBe('a b c');
  });

  it('is not read from a terminal, which would show it', async () => {
    const terminal = Object.assign(Readable.from([Buffer.from('secret\n')]), { isTTY: true });
    await expect(passwordOn(terminal)).rejects.toEqual(
      new WrongUsage(
        '--password-stdin: standard input is a terminal, which would show the password; send it from a file or a pipe',
      ),
    );
    expect(terminal.readableDidRead).toBe(false);
  });
});
