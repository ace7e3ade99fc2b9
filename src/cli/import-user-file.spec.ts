import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NestFactory } from '@nestjs/core';

import { UserChanges } from '../auth/user-administration/user-changes.js';
import { Users } from '../auth/users/users.js';
import { importUserFile } from './import-user-file.js';
import { RejectsFile } from './rejects-file.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'matricula-users-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** No line of the file is read as far as them. */
const providers = [UserChanges, Users].map((provide) => ({ provide, useValue: {} }));

describe('the import of a file of users', () => {
  it('tells how far it came once, before its answer', async () => {
    const services = await NestFactory.createApplicationContext({ module: class {}, providers });
    const file = join(directory, 'users.ndjson');
    await writeFile(file, 'no user\n');
    const written: string[] = [];
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation((text, ...more: unknown[]) => {
        written.push(String(text));
        const done = more.at(-1);
        if (typeof done === 'function') process.nextTick(done);
        return true;
      }),
    );
    const rejects = await RejectsFile.of(file);
    try {
      await importUserFile(services, { file, size: 8, rejects, json: false });
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(written).toEqual([
      expect.stringMatching(/^Importing: 8\/8 bytes, .*, 1 users\n$/),
      '0 imported, 0 there already, 1 rejected\n',
      `The rejected lines and their faults are in ${rejects.path}.\n`,
    ]);
  });
});
