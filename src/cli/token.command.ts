import { Command, Option } from 'commander';

import { CLI } from '../audit/audit-entry.js';
import type { AdministratorRole } from '../auth/token/administrator-scopes.js';
import { ADMINISTRATOR_SCOPES } from '../auth/token/administrator-scopes.js';
import { jsonOption } from './json-option.js';
import { wholeNumber } from './option-values.js';
import { answer } from './output.js';
import { withServices } from './services.js';

interface TokenOptions {
  readonly role: AdministratorRole;
  readonly ttl: number;
  readonly subject: string;
  readonly json: boolean;
}

/** `matricula token`: an administrator's access token. */
export const tokenCommand = (): Command =>
  new Command('token')
    .description('make an access token for an administrator, signed with the key of the service')
    .addOption(
      new Option('--role <role>', 'what the administrator is')
        .choices(Object.keys(ADMINISTRATOR_SCOPES))
        .makeOptionMandatory(),
    )
    .option('--ttl <seconds>', 'lifetime in seconds', wholeNumber(1, 604_800), 600)
    .option('--subject <name>', 'who it is for: the `sub` claim', 'cli')
    .addOption(jsonOption())
    .action(({ role, ttl, subject, json }: TokenOptions) =>
      withServices(async (services) => {
        const { AccessTokens } = await import('../auth/token/access-tokens.js');
        const token = await services
          .get(AccessTokens)
          .administratorToken({ role, subject, ttlSeconds: ttl, by: CLI }, new Date());
        answer(json, { access_token: token, token_type: 'Bearer', expires_in: ttl }, token);
      }, 'as it is'),
    );
