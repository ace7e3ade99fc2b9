import type { Application } from '../application.js';
import type { Uuid } from '../domain/uuid.js';
import type { Demonstration, DemonstrationClient } from './demonstration.js';

/**
 * The message once the service answers: the addresses, and with a demonstration the credentials of its clients and
 * `curl` lines that work when pasted (P-9).
 */
export function welcome(
  { publicUrl, internalUrl }: Pick<Application, 'publicUrl' | 'internalUrl'>,
  demonstration?: Demonstration,
): string {
  const url = publicUrl ?? '';
  const lines = [
    '',
    `Matricula answers at ${url} (documentation: ${url}/docs), and inside the cluster at ${internalUrl ?? ''}.`,
    '',
  ];
  if (demonstration === undefined) return lines.join('\n');
  const { client, health } = demonstration;
  return [
    ...lines,
    ...credentialLines('A demonstration client is registered:', client),
    'Get a token, then search; paste both lines:',
    '',
    tokenLine('TOKEN', url, client),
    searchLine(url),
    '',
    ...(health === undefined ? [] : notifyLines(url, health)),
  ].join('\n');
}

const credentialLines = (heading: string, { client_id, client_secret, sha_secret }: DemonstrationClient): string[] => [
  heading,
  `  client_id      ${client_id}`,
  `  client_secret  ${client_secret}`,
  `  sha_secret     ${sha_secret}`,
  '',
];

const notifyLines = (url: string, health: NonNullable<Demonstration['health']>): string[] => [
  ...credentialLines('A hospital has a client of its own:', health),
  'Notify a birth with it; paste this line:',
  '',
  `${tokenLine('HEALTH_TOKEN', url, health)}; ${post(`${url}/events/notify`, 'HEALTH_TOKEN', firstBirth(health.facility))}`,
  '',
];

const tokenLine = (variable: string, url: string, { client_id, client_secret }: DemonstrationClient): string =>
  `${variable}=$(curl -s ${url}/auth/token -d grant_type=client_credentials -d client_id=${client_id} -d client_secret=${client_secret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;

const searchLine = (url: string): string => post(`${url}/events/search`, 'TOKEN', FIRST_SEARCH);

const post = (url: string, token: string, body: object): string =>
  `curl -s ${url} -H "Authorization: Bearer $${token}" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;

const FIRST_SEARCH = {
  query: { clauses: [{ eventType: 'birth', status: { type: 'exact', term: 'REGISTERED' } }] },
  limit: 2,
};

/** Pasted again, it is answered with the same event. */
const firstBirth = (facility: Uuid): object => ({
  transactionId: 'first-birth',
  eventType: 'birth',
  createdAtLocation: facility,
  declaration: { 'child.name': { firstname: 'Asha', surname: 'Banda' }, 'child.dob': '2026-11-20' },
});
