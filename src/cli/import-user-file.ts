import { createReadStream } from 'node:fs';

import type { INestApplicationContext } from '@nestjs/common';

import { CLI } from '../platform/audit/audit-entry.js';
import { importUsers } from '../auth/user-administration/import-users.js';
import { UserRegistration } from '../auth/user-administration/user-changes.js';
import { Users } from '../auth/users/users.js';
import { ndjsonSource } from '../kernel/input/ndjson-lines.js';
import { answer, tell } from './output.js';
import { startProgress } from './progress.js';
import type { RejectsFile } from './rejects-file.js';

interface FileImport {
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  readonly rejects: RejectsFile;
  readonly json: boolean;
}

/** With progress and a file of rejected lines (U-6, R-3). */
export async function importUserFile(
  services: INestApplicationContext,
  { file, size, rejects, json }: FileImport,
): Promise<void> {
  const source = await ndjsonSource(createReadStream(file));
  const progress = startProgress('Importing', size, 'bytes');
  try {
    const register = { registration: services.get(UserRegistration), users: services.get(Users) };
    const counts = await importUsers(register, source, CLI, {
      onRejected: (line) => rejects.add(line),
      onProgress: ({ bytes, users }) => {
        progress.update(bytes, `${users} users`);
      },
    }).finally(() => {
      progress.stop();
    });
    await rejects.complete();
    const { imported, unchanged, rejected } = counts;
    await answer(json, counts, `${imported} imported, ${unchanged} there already, ${rejected} rejected`);
  } finally {
    await rejects.close();
  }
  if (rejects.count > 0) tell(`The rejected lines and their faults are in ${rejects.path}.`);
}
