import { Command } from 'commander';

import { CLI } from '../audit/audit-entry.js';
import { SigningKeys } from '../auth/token/signing-keys.js';
import { jsonOption } from './json-option.js';
import { answer } from './output.js';
import { withServices } from './services.js';

/** `matricula keys rotate`: a new signing key; the old one is accepted until its last token has expired. */
export const keysCommand = (): Command =>
  new Command('keys').description('the keys that sign access tokens').addCommand(
    new Command('rotate')
      .description('make a new signing key; running processes take it up at once')
      .addOption(jsonOption())
      .action(({ json }: { readonly json: boolean }) =>
        withServices(async (services) => {
          const kid = await services.get(SigningKeys).rotate(CLI);
          answer(json, { kid }, `The key that signs is now ${kid}.`);
        }),
      ),
  );
