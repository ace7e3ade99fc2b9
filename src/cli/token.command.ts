import { Command, Option } from 'commander';
import { CLI } from '../platform/audit/audit-entry.js';
import { ADMINISTRATOR_SCOPES, type AdministratorRole } from '../auth/access/scope-permissions.js';
import type { Uuid } from '../kernel/domain/uuid.js';
import { jsonOption, name, uuid, wholeNumber, WrongUsage } from './options.js';
import { answer } from './output.js';
import { withServices } from './services.js';

interface TokenOptions {
  readonly role?: AdministratorRole;
  readonly scope?: readonly string[];
  readonly office?: Uuid;
  readonly ttl: number;
  readonly subject: string;
  readonly json: boolean;
}

/** `matricula token`: for an administrator, or a user with given scopes (E-11). */
export const tokenCommand = (): Command =>
  new Command('token')
    .description('make an access token for an administrator or a user, signed with the key of the service')
    .addOption(new Option('--role <role>', 'what the administrator is').choices(Object.keys(ADMINISTRATOR_SCOPES)))
    .addOption(
      new Option('--scope <scope>', 'what a user may do, such as type=record.declare&event=birth; may be repeated')
        .argParser((scope: string, before: readonly string[] | undefined) => [...(before ?? []), scope])
        .conflicts('role'),
    )
    .addOption(new Option('--office <id>', 'id of the location where the user works').argParser(uuid).conflicts('role'))
    .option('--ttl <seconds>', 'lifetime in seconds', wholeNumber(1, 604_800), 600)
    .option('--subject <name>', 'who it is for: the `sub` claim', name, 'cli')
    .addOption(jsonOption())
    .action(({ role, scope, office, ttl, subject, json }: TokenOptions) => {
      if (role === undefined && scope === undefined) throw new WrongUsage('--role or --scope is needed');
      return withServices(async (services) => {
        const { AccessTokens } = await import('../auth/tokens/access-tokens.js');
        const tokens = services.get(AccessTokens);
        const order = { subject, ttlSeconds: ttl, by: CLI };
        const token = await (role === undefined
          ? tokens.tokenOfUser({ ...order, scopes: scope ?? [], office }, new Date())
          : tokens.administratorToken({ ...order, role }, new Date()));
        await answer(json, { access_token: token, token_type: 'Bearer', expires_in: ttl }, token);
      }, 'as it is');
    });
