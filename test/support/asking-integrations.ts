import type { RunningApplication } from './application.js';

/** What is answered when an integration is created. */
export interface Created {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly shaSecret: string;
}

/** Matches any UUID. */
export const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string;
/** Matches any instant. */
export const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

/** Asks a service about integrations, as its administrator unless another token is given. */
export function askingIntegrations(
  here: () => { readonly service: RunningApplication; readonly administrator: string },
) {
  const ask = async (method: string, path: string, body?: unknown, token = here().administrator) => {
    const { status, json, headers } = await here().service.request(method, path, { token, body });
    return { status, json, headers };
  };
  const create = async (scopes: readonly string[] = ['recordsearch'], name = 'NID'): Promise<Created> =>
    (await ask('POST', '/integrations', { name, scopes })).json as Created;
  const tokenOf = (clientId: string, clientSecret: string) =>
    here().service.request('POST', '/token', {
      body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
    });
  const accessToken = async ({ clientId, clientSecret }: Created): Promise<string> =>
    ((await tokenOf(clientId, clientSecret)).json as { access_token: string }).access_token;
  const holderOf = (...scope: readonly string[]): Promise<string> => here().service.issuer.token({ sub: 'bea', scope });
  return { ask, create, tokenOf, accessToken, holderOf };
}
