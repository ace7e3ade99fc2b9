import type { Uuid } from '../kernel/domain/uuid.js';
import type { Config } from '../platform/config/config.js';
import type { DatabaseServer } from '../platform/database/connection/database-server.js';
import { type Application, createApplication } from './application.js';
import {
  type Demonstration,
  type DemonstrationClient,
  type DemonstrationUser,
  prepareDemonstration,
} from './demonstration.js';
import { tell } from './output.js';
import { openConfiguredServer } from './services.js';
import { askedToEnd } from './termination.js';

/** Addresses, and demonstration credentials with `curl` lines (P-9). */
function welcome(
  { publicUrl, internalUrl }: Pick<Application, 'publicUrl' | 'internalUrl'>,
  config: Pick<Config, 'COUNTRY_CONFIG_URL' | 'TWO_FA_ENABLED'>,
  demonstration: Demonstration | undefined,
): string {
  const url = publicUrl ?? '';
  const lines = [
    '',
    `Matricula answers at ${url} (documentation: ${url}/docs), and inside the cluster at ${internalUrl ?? ''}.`,
    '',
  ];
  if (demonstration === undefined) return lines.join('\n');
  const { client, health, users } = demonstration;
  return [
    ...lines,
    ...credentialLines('A demonstration client is registered:', client),
    'Get a token, then search; paste both lines:',
    '',
    tokenLine('TOKEN', url, client),
    searchLine(url, 'TOKEN'),
    '',
    ...notifyLines(url, health),
    ...(users.registrar === undefined ? [] : loginLines(url, users.registrar, config)),
  ].join('\n');
}

const credentialLines = (heading: string, { client_id, client_secret, sha_secret }: DemonstrationClient): string[] => [
  heading,
  `  client_id      ${client_id}`,
  `  client_secret  ${client_secret}`,
  `  sha_secret     ${sha_secret}`,
  '',
];

const notifyLines = (url: string, health: Demonstration['health']): string[] => [
  ...credentialLines('A hospital has a client of its own:', health),
  'Notify a birth with it; paste this line:',
  '',
  `${tokenLine('HEALTH_TOKEN', url, health)}; ${post(`${url}/events/notify`, 'HEALTH_TOKEN', firstBirth(health.facility))}`,
  '',
];

const loginLines = (
  url: string,
  { username, password }: DemonstrationUser,
  { COUNTRY_CONFIG_URL, TWO_FA_ENABLED }: Pick<Config, 'COUNTRY_CONFIG_URL' | 'TWO_FA_ENABLED'>,
): string[] => [
  'A registrar has a user account (a hospital clerk and a national administrator too, in demonstration.json of DATA_DIR):',
  `  username       ${username}`,
  `  password       ${password}`,
  '',
  TWO_FA_ENABLED
    ? `Sign in; paste this line, and type the code that ${COUNTRY_CONFIG_URL === undefined ? 'is in the log here' : 'the country configuration gets'}. It searches in his province:`
    : 'Sign in; paste this line. It searches in his province:',
  '',
  [
    `NONCE=$(${json(`${url}/auth/authenticate`, `'${JSON.stringify({ username, password })}'`)} | ${member('nonce')})`,
    TWO_FA_ENABLED ? `printf 'Code: ' >&2; read -r CODE` : 'CODE=000000',
    `USER_TOKEN=$(${json(`${url}/auth/verifyCode`, '"{\\"nonce\\":\\"$NONCE\\",\\"code\\":\\"$CODE\\"}"')} | ${member('token')})`,
    searchLine(url, 'USER_TOKEN'),
  ].join('; '),
  '',
];

const json = (url: string, body: string): string => `curl -s ${url} -H 'Content-Type: application/json' -d ${body}`;

/** Extracts a member of an answer. */
const member = (name: string): string => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;

const tokenLine = (variable: string, url: string, { client_id, client_secret }: DemonstrationClient): string =>
  `${variable}=$(curl -s ${url}/auth/token -d grant_type=client_credentials -d client_id=${client_id} -d client_secret=${client_secret} | ${member('access_token')})`;

const searchLine = (url: string, token: string): string => post(`${url}/events/search`, token, FIRST_SEARCH);

const post = (url: string, token: string, body: object): string =>
  `curl -s ${url} -H "Authorization: Bearer $${token}" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;

const FIRST_SEARCH = {
  query: { clauses: [{ eventType: 'birth', status: { type: 'exact', term: 'REGISTERED' } }] },
  limit: 2,
};

/** Repeated, it is answered with the same event. */
const firstBirth = (facility: Uuid): object => ({
  transactionId: 'first-birth',
  eventType: 'birth',
  createdAtLocation: facility,
  declaration: { 'child.name': { firstname: 'Asha', surname: 'Banda' }, 'child.dob': '2026-11-20' },
});

/**
 * Until SIGTERM or SIGINT (P-8); a second signal, or one during the start, ends it at once. Throws if it cannot start.
 */
export async function serve(config: Config): Promise<void> {
  const server = await openConfiguredServer(config);
  let application: Awaited<ReturnType<typeof createApplication>> | undefined;
  try {
    application = await createApplication(config, server.url);
    const demonstration = server.embedded ? await prepareDemonstration(application.app, config) : undefined;
    await application.listen();
    tell(welcome(application, config, demonstration));
    await askedToEnd();
    tell('Ending: requests in flight are finished first.');
  } finally {
    await closeAll(application, server);
  }
}

async function closeAll(application: { close(): Promise<void> } | undefined, server: DatabaseServer): Promise<void> {
  try {
    await application?.close();
  } finally {
    await server.close();
  }
}
