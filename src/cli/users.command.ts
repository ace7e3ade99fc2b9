import { text } from 'node:stream/consumers';

import { Command } from 'commander';

import { CLI } from '../audit/audit-entry.js';
import type { Uuid } from '../domain/uuid.js';
import { inputSize } from './input-file.js';
import { jsonOption } from './json-option.js';
import { uuid } from './option-values.js';
import { answer } from './output.js';
import { readOptions } from './read-options.js';
import { withServices } from './services.js';

interface CreateOptions {
  readonly username: string;
  readonly firstname: string;
  readonly surname: string;
  readonly role: string;
  readonly office: Uuid;
  readonly email?: string;
  readonly mobile?: string;
  readonly passwordStdin: boolean;
  readonly json: boolean;
}

/** `matricula users`: the same as the internal routes, and an import (U-6). */
export const usersCommand = (): Command =>
  new Command('users').description('the people who use the service').addCommand(create()).addCommand(importUsers());

const create = (): Command =>
  new Command('create')
    .description('create a user: active with a password, else pending until he sets one by the link that he is sent')
    .requiredOption('--username <name>', 'the name to sign in with')
    .requiredOption('--firstname <name>', 'first name')
    .requiredOption('--surname <name>', 'surname')
    .requiredOption('--role <role>', 'the id of a role, such as LOCAL_REGISTRAR')
    .requiredOption('--office <id>', 'id of the location where the user works', uuid)
    .option('--email <address>', 'e-mail address')
    .option('--mobile <number>', 'mobile number')
    .option('--password-stdin', 'read the password from standard input', false)
    .addOption(jsonOption())
    .action(async ({ firstname, surname, office, passwordStdin, json, ...named }: CreateOptions) => {
      const password = passwordStdin ? await passwordOnInput() : undefined;
      const { NewUserDto } = await import('../auth/users/new-user.dto.js');
      const order = await readOptions(NewUserDto, {
        ...named,
        name: { firstname, surname },
        primaryOfficeId: office,
        ...(password !== undefined && { password }),
      });
      await withServices(async (services) => {
        const { UserRegistration } = await import('../auth/users/user-registration.js');
        const user = await services.get(UserRegistration).register(order, CLI);
        answer(json, user, `User ${user.username} is ${user.status}: ${user.id}`);
      });
    });

/** Standard input, without the end of its line. */
const passwordOnInput = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');

const importUsers = (): Command =>
  new Command('import')
    .description('NDJSON: a user a line, as POST /users takes him; run again, it finishes what was interrupted')
    .argument('<file>')
    .addOption(jsonOption())
    .action(async (file: string, { json }: { readonly json: boolean }) => {
      const size = await inputSize(file);
      await withServices(async (services) => {
        const { importUserFile } = await import('./import-user-file.js');
        await importUserFile(services, { file, size, json });
      });
    });
