import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import { type Registration, REGISTRATION_SCOPES } from '../auth/access/scope-permissions.js';
import { CLI } from '../platform/audit/audit-entry.js';
import type { ClientView, Credentials, RegistrationOrder, SystemClients } from '../auth/clients/system-clients.js';
import { NOTIFICATION_FORMATS, type NotificationFormat } from '../webhooks/notification/notification-headers.js';
import { readJsonFile } from './input-file.js';
import { jsonOption, uuidOf, WrongUsage } from './options.js';
import { answer } from './output.js';
import { withServices } from './services.js';

interface RegisterOptions {
  readonly as?: Registration;
  readonly scope?: readonly string[];
  readonly name?: string;
  readonly webhookFormat?: NotificationFormat;
  readonly jwks?: string;
  readonly json: boolean;
}

interface SetKeysOptions {
  readonly jwks?: string;
  readonly none?: true;
  readonly json: boolean;
}

/** `matricula clients`: the internal routes, and clients with custom scopes. */
export const clientsCommand = (): Command =>
  new Command('clients')
    .description('system clients')
    .addCommand(list())
    .addCommand(register())
    .addCommand(setKeys())
    .addCommand(rotateShaSecret())
    .addCommand(setStatus('deactivate', 'deactivated'))
    .addCommand(setStatus('reactivate', 'active'));

const list = (): Command =>
  new Command('list')
    .description('every client, the oldest first')
    .addOption(jsonOption())
    .action(({ json }: { readonly json: boolean }) =>
      withServices(async (services) => {
        const clients = await (await clientsOf(services)).list();
        await answer(json, clients, clients.length === 0 ? 'There are no clients.' : clients.map(lineOf));
      }, 'as it is'),
    );

const lineOf = ({ clientId, status, scopes, name }: ClientView): string =>
  `${clientId}  ${status.padEnd(11)}  ${scopes.join(' ')}  ${name}`;

const register = (): Command =>
  new Command('register')
    .description('register a client; its secrets are shown this once')
    .addOption(
      new Option('--as <kind>', 'what it is registered as')
        .choices(Object.keys(REGISTRATION_SCOPES))
        .conflicts('scope'),
    )
    .option('--scope <scope...>', 'scopes of its own, such as "type=record.search&event=birth"')
    .option('--name <name>', 'a name for people')
    .addOption(
      new Option(
        '--webhook-format <format>',
        'the format of its notifications unless a subscription names one',
      ).choices(NOTIFICATION_FORMATS),
    )
    .addOption(jwksOption())
    .addOption(jsonOption())
    .action(async ({ as, scope, name, webhookFormat, jwks: file, json }: RegisterOptions) => {
      const what = as === undefined ? scope && { scopes: scope } : { registeredAs: as };
      if (what === undefined) throw new WrongUsage('error: one of --as and --scope is needed');
      const jwks = file === undefined ? undefined : await readJsonFile(file);
      await withServices(async (services) => {
        const { ClientFormats } = await import('../webhooks/subscriptions/client-formats.js');
        const formats = services.get(ClientFormats);
        const also: RegistrationOrder['also'] = async (transaction, clientId) =>
          webhookFormat !== undefined && formats.setIn(transaction, clientId, webhookFormat, CLI);
        const credentials = await (await clientsOf(services)).register({ ...what, name, jwks, also, by: CLI });
        const isChanged = scope !== undefined && credentials.scopes.join(' ') !== scope.join(' ');
        const shown = { ...shownOf(credentials), ...(isChanged && { scope: credentials.scopes.join(' ') }) };
        const lines = Object.entries(shown).map(([key, value]) => `${key}=${value}`);
        await answer(json, shown, lines);
      });
    });

const shownOf = ({ clientId, clientSecret, shaSecret, keys }: Credentials): Record<string, string> => ({
  client_id: clientId,
  client_secret: clientSecret.reveal(),
  sha_secret: shaSecret.reveal(),
  ...(keys.length > 0 && { kid: keys.map(({ kid }) => kid).join(' ') }),
});

const jwksOption = (): Option =>
  new Option('--jwks <file>', 'public keys of its assertions (private_key_jwt), as a JWK Set: {"keys": [...]}');

const setKeys = (): Command =>
  new Command('set-keys')
    .description('replace the public keys with which a client signs its assertions (private_key_jwt)')
    .argument('<client_id>')
    .addOption(jwksOption().conflicts('none'))
    .option('--none', 'it has none from now on')
    .addOption(jsonOption())
    .action(async (text: string, { jwks: file, none, json }: SetKeysOptions) => {
      const clientId = uuidOf(text, 'client id');
      if (file === undefined && none !== true) throw new WrongUsage('error: one of --jwks and --none is needed');
      const jwks = file === undefined ? { keys: [] } : await readJsonFile(file);
      await withServices(async (services) => {
        const { SystemClients } = await import('../auth/clients/system-clients.js');
        const { soundKeys } = await import('../auth/clients/client-keys.js');
        const keys = await soundKeys(jwks, '');
        const found = await services.get(SystemClients).setKeys(clientId, keys, CLI);
        if (!found) throw new Error(`There is no client ${clientId}.`);
        const kids = keys.map(({ kid }) => kid);
        const shown = kids.length === 0 ? `Client ${clientId} has no keys.` : kids.map((kid) => `kid=${kid}`);
        await answer(json, { client_id: clientId, jwks: { keys } }, shown);
      });
    });

const rotateShaSecret = (): Command =>
  new Command('rotate-sha-secret')
    .description("replace the secret that signs a client's webhooks; the new one is shown this once")
    .argument('<client_id>')
    .addOption(jsonOption())
    .action(async (text: string, { json }: { readonly json: boolean }) => {
      const clientId = uuidOf(text, 'client id');
      await withServices(async (services) => {
        const secret = await (await clientsOf(services)).rotateShaSecret(clientId, CLI);
        if (secret === undefined) throw new Error(`There is no client ${clientId}.`);
        const shown = { client_id: clientId, sha_secret: secret.reveal() };
        await answer(json, shown, `sha_secret=${shown.sha_secret}`);
      });
    });

const setStatus = (verb: string, status: ClientView['status']): Command =>
  new Command(verb)
    .description(`${verb} a client, in every process within two seconds`)
    .argument('<client_id>')
    .addOption(jsonOption())
    .action(async (text: string, { json }: { readonly json: boolean }) => {
      const clientId = uuidOf(text, 'client id');
      await withServices(async (services) => {
        const found = await (await clientsOf(services)).setStatus(clientId, status, CLI);
        if (!found) throw new Error(`There is no client ${clientId}.`);
        await answer(json, { client_id: clientId, status }, `Client ${clientId} is ${status}.`);
      });
    });

async function clientsOf(services: INestApplicationContext): Promise<SystemClients> {
  const { SystemClients } = await import('../auth/clients/system-clients.js');
  return services.get(SystemClients);
}
