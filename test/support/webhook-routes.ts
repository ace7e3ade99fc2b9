import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication } from '../../src/cli/application.js';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { SystemClients } from '../../src/auth/clients/system-clients.js';
import { AccessTokens } from '../../src/auth/tokens/access-tokens.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import type { EventAction } from '../../src/kernel/domain/event-action.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { anAction } from './builders/an-action.js';
import { OpenApiCheck } from './openapi-check.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { answers, type ScriptedSubscriber, startScriptedSubscriber, verifies } from './scripted-subscriber.js';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** A client as one who registered it knows it. */
export interface TestClient {
  readonly clientId: Uuid;
  readonly shaSecret: string;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Entry {
  readonly id: string;
}

/** The whole service in the process of the test, with a subscriber that it may reach and those who ask it. */
export interface WebhookService {
  readonly test: TestDatabase;
  readonly app: NestFastifyApplication;
  readonly urls: { readonly public: string; readonly internal: string };
  readonly check: OpenApiCheck;
  readonly subscriber: ScriptedSubscriber;
  readonly administrator: string;
  readonly nationalAdministrator: string;
  close(): Promise<void>;
}

/** Starts it on a database of its own. */
export async function startWebhookService(environment: Readonly<Record<string, string>> = {}): Promise<WebhookService> {
  const test = await createTestDatabase();
  const subscriber = await startScriptedSubscriber();
  const config = readConfig({
    SECRETS_KEY,
    PORT: '0',
    INTERNAL_PORT: '0',
    LOG_LEVEL: 'fatal',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA: subscriber.authority,
    WEBHOOK_TIMEOUT_SECONDS: '60',
    WEBHOOK_RETRY_SECONDS: '0.1',
    ...environment,
  });
  const application = await createApplication(config, test.url);
  await application.listen();
  const urls = { public: application.publicUrl ?? '', internal: application.internalUrl ?? '' };
  const document = await fetch(`${urls.internal}/openapi.json`);
  const check = OpenApiCheck.of(await document.text());
  const tokens = application.app.get(AccessTokens, { strict: false });
  const order = { role: 'system-admin', subject: 'cli', ttlSeconds: 600, by: CLI } as const;
  const administrator = await tokens.administratorToken(order, new Date());
  const nationalAdministrator = await tokens.administratorToken(
    { ...order, role: 'national-system-admin' },
    new Date(),
  );
  return {
    test,
    app: application.app,
    urls,
    check,
    subscriber,
    administrator,
    nationalAdministrator,
    close: async () => {
      await application.close();
      await subscriber.close();
      await test.drop();
    },
  };
}

/** Makes the subscriber answer and verify as a good one, and forget what it has received. */
export function makeGood(subscriber: ScriptedSubscriber): void {
  subscriber.behave(answers(200));
  subscriber.verify(verifies);
  subscriber.forget();
}

/** Asks the webhook routes, as `client` unless another one is named. */
export function askingWebhooks(here: () => WebhookService & { readonly client: TestClient }) {
  async function aClient(scopes: readonly string[]): Promise<TestClient> {
    const clients = here().app.get(SystemClients, { strict: false });
    const { clientId, clientSecret, shaSecret } = await clients.register({ scopes, name: 'A client', by: CLI });
    const granted = await ask('POST', '/token', undefined, {
      client_id: clientId,
      client_secret: clientSecret.reveal(),
      grant_type: 'client_credentials',
    });
    return { clientId, shaSecret: shaSecret.reveal(), token: (granted.body as { access_token: string }).access_token };
  }

  async function ask(
    method: string,
    path: string,
    token?: string,
    body?: unknown,
    base = here().urls.public,
  ): Promise<Answer> {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? undefined;
    here().check.check({ method, path, status: response.status, contentType, body: text });
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }

  const hubOf = (changes: Readonly<Record<string, unknown>> = {}, of = here().client): Record<string, unknown> => ({
    callback: here().subscriber.url(),
    mode: 'subscribe',
    topic: 'BIRTH_REGISTERED',
    secret: of.shaSecret,
    ...changes,
  });
  const subscribe = (changes: Readonly<Record<string, unknown>> = {}, of = here().client): Promise<Answer> =>
    ask('POST', '/webhooks', of.token, { hub: hubOf(changes, of) });

  const entries = async (of = here().client): Promise<readonly Entry[]> =>
    ((await ask('GET', '/webhooks', of.token)).body as { entries: Entry[] }).entries;
  const issuesOf = ({ body }: Answer): unknown =>
    (body as { issues?: { message: string }[] }).issues?.map(({ message }) => message);

  const trigger = (
    document: unknown,
    action = 'REGISTER',
    type = 'birth',
    token = here().administrator,
  ): Promise<Answer> => ask('POST', `/trigger/events/${type}/actions/${action}`, token, document, here().urls.internal);

  /** How many notifications of each event there are. */
  const publications = (): Promise<{ eventId: string; count: number }[]> =>
    here().test.database.query(sql`
      select event_id as "eventId", count(*)::int as count from webhook_delivery group by event_id order by count`);

  let registrations = 0;
  const aRegistration = (overrides: Partial<EventAction> = {}): EventAction =>
    anAction({
      type: 'REGISTER',
      registrationNumber: `2026T${String(++registrations).padStart(7, '0')}`,
      ...overrides,
    });

  return { aClient, ask, hubOf, subscribe, entries, issuesOf, trigger, publications, aRegistration };
}
