import type { Application } from '../application.js';
import type { DemonstrationClient } from './demonstration.js';

/**
 * The message once the service answers: the addresses, and with a demonstration the client's credentials and two `curl`
 * lines that work when pasted (P-9).
 */
export function welcome(
  { publicUrl, internalUrl }: Pick<Application, 'publicUrl' | 'internalUrl'>,
  client?: DemonstrationClient,
): string {
  const url = publicUrl ?? '';
  const lines = [
    '',
    `Matricula answers at ${url} (documentation: ${url}/docs), and inside the cluster at ${internalUrl ?? ''}.`,
    '',
  ];
  if (client === undefined) return lines.join('\n');
  return [
    ...lines,
    'A demonstration client is registered:',
    `  client_id      ${client.client_id}`,
    `  client_secret  ${client.client_secret}`,
    `  sha_secret     ${client.sha_secret}`,
    '',
    'Get a token, then search; paste both lines:',
    '',
    tokenLine(url, client),
    searchLine(url),
    '',
  ].join('\n');
}

const tokenLine = (url: string, { client_id, client_secret }: DemonstrationClient): string =>
  `TOKEN=$(curl -s ${url}/auth/token -d grant_type=client_credentials -d client_id=${client_id} -d client_secret=${client_secret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;

const searchLine = (url: string): string =>
  `curl -s ${url}/events/search -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '${JSON.stringify(FIRST_SEARCH)}'`;

const FIRST_SEARCH = {
  query: { clauses: [{ eventType: 'birth', status: { type: 'exact', term: 'REGISTERED' } }] },
  limit: 2,
};
