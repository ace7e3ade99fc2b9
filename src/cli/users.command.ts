import { text } from 'node:stream/consumers';
import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import { fullName, USER_STATUSES, type UserView } from '../auth/users/user-view.js';
import { parseUuid, type Uuid } from '../kernel/domain/uuid.js';
import { CLI } from '../platform/audit/audit-entry.js';
import { inputSize } from './input-file.js';
import { jsonOption, readOptions, uuid, WrongUsage } from './options.js';
import { answer } from './output.js';
import { RejectsFile, rejectsOption } from './rejects-file.js';
import { withServices } from './services.js';

/** Such as `process.stdin`. */
type PasswordInput = AsyncIterable<unknown> & { readonly isTTY?: boolean };

/** Throws on a terminal, which would show it. */
export async function passwordOn(input: PasswordInput): Promise<string> {
  if (input.isTTY === true) throw new WrongUsage(ON_TERMINAL);
  return (await text(input)).replace(/\r?\n$/, '');
}

const ON_TERMINAL =
  '--password-stdin: standard input is a terminal, which would show the password; send it from a file or a pipe';

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

interface ListOptions {
  readonly role?: string;
  readonly office?: Uuid;
  readonly status?: UserView['status'];
  readonly json: boolean;
}

/** `matricula users`: the internal routes, and an import (U-6). */
export const usersCommand = (): Command =>
  new Command('users')
    .description('the people who use the service')
    .addCommand(list())
    .addCommand(create())
    .addCommand(setStatus('deactivate', 'deactivated'))
    .addCommand(setStatus('activate', 'active'))
    .addCommand(resetPassword())
    .addCommand(importUsers());

const list = (): Command =>
  new Command('list')
    .description('users by their names')
    .option('--role <role>', 'only those with this role')
    .option('--office <id>', 'only those who work at this location', uuid)
    .addOption(new Option('--status <status>', 'only those').choices(USER_STATUSES))
    .addOption(jsonOption())
    .action(({ role, office, status, json }: ListOptions) =>
      withServices(async (services) => {
        const { Users } = await import('../auth/users/users.js');
        const register = services.get(Users);
        const users: UserView[] = [];
        for (;;) {
          const part = { skip: users.length, count: USERS_OF_A_PAGE };
          const { results } = await register.page({ role, officeId: office, status, ...part });
          if (results.length === 0) break;
          users.push(...results);
        }
        await answer(json, users, users.length === 0 ? 'There are no users.' : users.map(lineOf));
      }, 'as it is'),
    );

const USERS_OF_A_PAGE = 1_000;

const lineOf = ({ id, username, status, role, name }: UserView): string =>
  `${id}  ${status.padEnd(11)}  ${role}  ${username}  ${fullName(name)}`;

const create = (): Command =>
  new Command('create')
    .description('create a user: active with a password, else pending until he sets one by the link that he is sent')
    .requiredOption('--username <name>', 'the name to sign in with')
    .option('--firstname <name>', 'first name; this or a surname', '')
    .option('--surname <name>', 'surname', '')
    .requiredOption('--role <role>', 'the id of a role, such as LOCAL_REGISTRAR')
    .requiredOption('--office <id>', 'id of the location where the user works', uuid)
    .option('--email <address>', 'e-mail address')
    .option('--mobile <number>', 'mobile number')
    .option('--password-stdin', 'read the password from standard input', false)
    .addOption(jsonOption())
    .action(async ({ firstname, surname, office, passwordStdin, json, ...named }: CreateOptions) => {
      const password = passwordStdin ? await passwordOn(process.stdin) : undefined;
      const { NewUserDto } = await import('../auth/user-administration/new-user.dto.js');
      const order = await readOptions(NewUserDto, {
        ...named,
        name: { firstname, surname },
        primaryOfficeId: office,
        ...(password !== undefined && { password }),
      });
      await withServices(async (services) => {
        const { UserChanges } = await import('../auth/user-administration/user-changes.js');
        const user = await services.get(UserChanges).register(order, CLI);
        await answer(json, user, `User ${user.username} is ${user.status}: ${user.id}`);
      });
    });

const setStatus = (verb: string, status: 'active' | 'deactivated'): Command =>
  new Command(verb)
    .description(`${verb} a user, in every process within two seconds`)
    .argument('<user>', 'user name or id')
    .addOption(jsonOption())
    .action((nameOrId: string, { json }: { readonly json: boolean }) =>
      withServices(async (services) => {
        const { UserChanges } = await import('../auth/user-administration/user-changes.js');
        const user = await services.get(UserChanges).setStatus(await idOf(services, nameOrId), status, CLI);
        await answer(json, user, `User ${user.username} is ${user.status}.`);
      }),
    );

const resetPassword = (): Command =>
  new Command('reset-password')
    .description("take a user's password, end his sessions, and send him a link to set another")
    .argument('<user>', 'user name or id')
    .addOption(jsonOption())
    .action((nameOrId: string, { json }: { readonly json: boolean }) =>
      withServices(async (services) => {
        const { UserChanges } = await import('../auth/user-administration/user-changes.js');
        const user = await services.get(UserChanges).resetPassword(await idOf(services, nameOrId), CLI);
        await answer(json, user, `User ${user.username} is sent a link to set a password.`);
      }),
    );

/** Throws if no user has this name. */
async function idOf(services: INestApplicationContext, nameOrId: string): Promise<Uuid> {
  const { Users } = await import('../auth/users/users.js');
  const id = parseUuid(nameOrId) ?? (await services.get(Users).findByUsername(nameOrId))?.id;
  if (id === undefined) throw new Error(`There is no user ${nameOrId}.`);
  return id;
}

const importUsers = (): Command =>
  new Command('import')
    .description('NDJSON: a user a line, as POST /users takes him; run again, it finishes what was interrupted')
    .argument('<file>')
    .addOption(rejectsOption())
    .addOption(jsonOption())
    .action(async (file: string, { rejects: path, json }: { readonly rejects?: string; readonly json: boolean }) => {
      const size = await inputSize(file);
      const rejects = await RejectsFile.of(file, path);
      await withServices(async (services) => {
        const { importUserFile } = await import('./import-user-file.js');
        await importUserFile(services, { file, size, rejects, json });
      });
    });
