import { Command } from 'commander';

import { CLI } from '../platform/audit/audit-entry.js';
import { jsonOption } from './options.js';
import { answer } from './output.js';
import { withServices } from './services.js';

/** `matricula keys`: signing keys, and `SECRETS_KEY` (P-6). */
export const keysCommand = (): Command =>
  new Command('keys')
    .description('the keys that sign access tokens, and the one that secrets are kept under')
    .addCommand(rotate())
    .addCommand(reseal());

const rotate = (): Command =>
  new Command('rotate')
    .description('make a new signing key; running processes take it up at once')
    .addOption(jsonOption())
    .action(({ json }: { readonly json: boolean }) =>
      withServices(async (services) => {
        const { SigningKeys } = await import('../auth/tokens/signing-keys.js');
        const kid = await services.get(SigningKeys).rotate(CLI);
        await answer(json, { kid }, `The key that signs is now ${kid}.`);
      }, 'as it is'),
    );

const reseal = (): Command =>
  new Command('reseal')
    .description('seal under SECRETS_KEY what was sealed under SECRETS_KEY_PREVIOUS; services that know both go on')
    .addOption(jsonOption())
    .action(({ json }: { readonly json: boolean }) =>
      withServices(async (services) => {
        const { Reseal } = await import('../auth/reseal.js');
        const secrets = await services.get(Reseal).run(CLI);
        await answer(
          json,
          { resealed: secrets },
          `${secrets} secrets were sealed anew; all are under SECRETS_KEY now.`,
        );
      }, 'as it is'),
    );
