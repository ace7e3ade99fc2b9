import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLocalJWKSet } from 'jose';
import { createApplication } from '../../src/cli/application.js';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { type Credentials, SystemClients } from '../../src/auth/clients/system-clients.js';
import { AccessTokens } from '../../src/auth/tokens/access-tokens.js';
import type { AdministratorRole } from '../../src/auth/access/scope-permissions.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { aSecretsKey } from './command-line.js';
import type { TestDatabase } from './postgres.js';

/** One for all services of a spec, which may share a database. */
const SECRETS_KEY = aSecretsKey();

/** A service that listens in the process of the test. */
export interface Service {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly internalUrl: string;
  close(): Promise<void>;
}

/** The whole service, on both ports. */
export async function serve(
  database: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const config = readConfig({
    SECRETS_KEY,
    PORT: '0',
    INTERNAL_PORT: '0',
    DATABASE_POOL_SIZE: '2',
    LOG_LEVEL: 'error',
    ...environment,
  });
  const application = await createApplication(config, database.url);
  await application.listen();
  return {
    app: application.app,
    url: application.publicUrl ?? '',
    internalUrl: application.internalUrl ?? '',
    close: () => application.close(),
  };
}

/** The headers of a form, of JSON, and the grant that a form asks for. */
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
export const JSON_TYPE = { 'content-type': 'application/json' };
export const GRANT = 'grant_type=client_credentials';

/** A form of these members, as a request takes it. */
export const form = (members: Record<string, string>): RequestInit => ({
  headers: FORM,
  body: new URLSearchParams(members).toString(),
});

interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** The service that requests go to, and the client that they are for. */
interface Here {
  readonly service: Service;
  readonly client: Credentials;
}

/** Asks the auth routes of a service. */
export function asking(here: () => Here) {
  const register = (): Promise<Credentials> =>
    here().service.app.get(SystemClients, { strict: false }).register({ registeredAs: 'HEALTH', by: CLI });

  async function authorization(role: AdministratorRole): Promise<Record<string, string>> {
    const tokens = here().service.app.get(AccessTokens, { strict: false });
    const token = await tokens.administratorToken({ role, subject: 'cli', ttlSeconds: 600, by: CLI }, new Date());
    return { authorization: `Bearer ${token}` };
  }

  const credentials = ({ clientId, clientSecret } = here().client): ClientCredentials => ({
    client_id: clientId,
    client_secret: clientSecret.reveal(),
  });
  const complete = (of = here().client): Record<string, string> => ({
    grant_type: 'client_credentials',
    ...credentials(of),
  });
  const encoded = (): string => new URLSearchParams(complete()).toString();
  const basic = (): string =>
    `Basic ${Buffer.from(`${credentials().client_id}:${credentials().client_secret}`).toString('base64')}`;

  const post = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${here().service.url}${path}`, { method: 'POST', ...init });
  const postJson = (path: string, body: unknown): Promise<Response> =>
    post(path, { headers: JSON_TYPE, body: JSON.stringify(body) });
  const administer = async (path: string, body: unknown): Promise<Response> =>
    fetch(`${here().service.internalUrl}${path}`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...(await authorization('national-system-admin')) },
      body: JSON.stringify(body),
    });

  async function keySet(): Promise<ReturnType<typeof createLocalJWKSet>> {
    const answer = await fetch(`${here().service.url}/.well-known/jwks.json`);
    return createLocalJWKSet((await answer.json()) as Parameters<typeof createLocalJWKSet>[0]);
  }

  return { register, authorization, credentials, complete, encoded, basic, post, postJson, administer, keySet };
}
