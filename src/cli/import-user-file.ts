import { createReadStream } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { CLI } from '../platform/audit/audit-entry.js';
import { importUsers } from '../auth/user-administration/import-users.js';
import { UserChanges } from '../auth/user-administration/user-changes.js';
import { Users } from '../auth/users/users.js';
import { ndjsonSource } from '../kernel/input/ndjson-lines.js';
import { type FileImport, importing } from './progress.js';

/** With progress and a file of rejected lines (U-6, R-3). */
export async function importUserFile(services: INestApplicationContext, options: FileImport): Promise<void> {
  const source = await ndjsonSource(createReadStream(options.file));
  const register = { registration: services.get(UserChanges), users: services.get(Users) };
  await importing(
    options,
    (progress) =>
      importUsers(register, source, CLI, {
        onRejected: (line) => options.rejects.add(line),
        onProgress: ({ bytes, users }) => {
          progress.update(bytes, `${users} users`);
        },
      }),
    ({ imported, unchanged, rejected }) => `${imported} imported, ${unchanged} there already, ${rejected} rejected`,
  );
}
