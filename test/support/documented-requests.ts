import { randomUUID } from 'node:crypto';

import type { OpenAPIObject } from '@nestjs/swagger';

import { RECORD_PERMISSIONS } from '../../src/kernel/domain/scopes/permission.js';
import type { RunningApplication } from './application.js';
import { eventually } from './eventually.js';
import { aPng, field, file, multipart, MULTIPART } from './multipart.js';
import type { ScriptedSubscriber } from './scripted-subscriber.js';
import { answers } from './scripted-subscriber.js';

/** The password of the examples, and an answer to a security question. */
export const PASSWORD = 'correct horse battery';
const ANSWER = 'Chipata';
/** Places of the demonstration country, which the examples name. */
const [FACILITY, DISTRICT] = ['1ba9f228-8538-49cb-878b-f54df9bedf91', '3e19c8b9-9771-4686-b6b5-3206766ac628'];

/** A body of requests as the document has it for a media type. */
interface DocumentedBody {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly example: unknown;
}

/** What an example cannot know: who sends it, the parameters of its path, and the ids that an answer named before. */
interface Unknown {
  /** Of an administrator, if it is not said. */
  readonly token?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Members of answers, as far as the next request needs them. */
interface Answered {
  readonly clientId: string;
  readonly id: string;
  readonly nonce: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly actions: readonly { readonly id: string; readonly status: string; readonly type: string }[];
  readonly versions: readonly { readonly versionId: string }[];
}

/** Every body of requests that the document describes. */
export const documentedBodies = ({ paths }: OpenAPIObject): readonly DocumentedBody[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    (['post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const { operationId = '', requestBody } = item[method] ?? {};
      if (requestBody === undefined || '$ref' in requestBody) return [];
      return Object.entries(requestBody.content).map(([type, { example }]) => ({
        ...{ operationId, method: method.toUpperCase(), path, type, example: example as unknown },
      }));
    }),
  );

/**
 * Sends an example to a service in the demonstration country, with `country` as its country configuration and its
 * subscriber. Resolves with the operation, its media type, and `2xx` or the refusal.
 */
export function exampleSender(
  service: RunningApplication,
  country: ScriptedSubscriber,
  document: OpenAPIObject,
): (body: DocumentedBody) => Promise<string> {
  const examples = new Map(documentedBodies(document).map((body) => [body.operationId, body]));
  const administrator = () => service.issuer.token();
  const registrar = () => service.issuer.token({ sub: 'registrar', scope: [...RECORD_PERMISSIONS], office: FACILITY });
  const asRegistrar = async (eventId: string): Promise<Unknown> => ({ token: await registrar(), path: { eventId } });

  async function send({ method, path, type, example }: DocumentedBody, { token, path: ids = {}, body }: Unknown) {
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
    const [contentType, payload] = encoded(
      type,
      typeof example === 'string' ? example : { ...fresh(example), ...body },
    );
    return service.request(method, address, {
      ...{ listener: 'internal', headers: { 'content-type': contentType }, body: payload },
      token: token ?? (await administrator()),
    });
  }

  /** The answer to the example of an operation, which must succeed. */
  async function done(operationId: string, unknown: Unknown = {}): Promise<Answered> {
    const example = examples.get(operationId);
    if (example === undefined) throw new Error(`the document has no ${operationId}`);
    const { status, json, body } = await send(example, unknown);
    if (status >= 300) throw new Error(`${operationId}: ${status} ${body}`);
    return json as Answered;
  }

  const credentials = async () => {
    const { clientId, clientSecret, token } = await service.registerClient('HEALTH');
    return { client_id: clientId, client_secret: clientSecret, token };
  };
  const aClient = async (): Promise<Unknown> => ({ body: { client_id: (await credentials()).client_id } });
  const ofHospital = async (): Promise<Unknown> => ({ token: (await credentials()).token });
  const ofSubscriber = async () => {
    const { token, shaSecret } = await service.registerClient('WEBHOOK');
    const hub = { callback: country.url(), mode: 'subscribe', topic: 'BIRTH_REGISTERED', secret: shaSecret };
    return { token, body: { hub } };
  };

  /** An event, with these actions of a registrar on it. */
  async function anEvent(...actions: readonly string[]): Promise<string> {
    const { id } = await done('event-create', { token: await registrar(), body: { createdAtLocation: undefined } });
    for (const action of actions) {
      await done(`event-${action}`, { ...(await asRegistrar(id)), body: { keepAssignment: true } });
    }
    return id;
  }
  const after =
    (...actions: readonly string[]) =>
    async (): Promise<Unknown> =>
      asRegistrar(await anEvent(...actions.map((action) => `actions-${action}`)));

  /** Two events that are declared alike, of one mother; the second is flagged as a duplicate. */
  async function twins(): Promise<readonly [string, string]> {
    const { declaration } = examples.get('event-actions-declare')?.example as { readonly declaration: object };
    const body = { keepAssignment: true, declaration: { ...declaration, 'mother.nid': randomUUID() } };
    const declared = async (): Promise<string> => {
      const eventId = await anEvent();
      await done('event-actions-declare', { ...(await asRegistrar(eventId)), body });
      return eventId;
    };
    return [await declared(), await declared()];
  }

  /** A correction that is requested, as its answer needs it. */
  async function correction(): Promise<Unknown> {
    const prepared = await asRegistrar(await anEvent('actions-declare', 'actions-register'));
    const { actions } = await done('event-requestCorrection', { ...prepared, body: { keepAssignment: true } });
    return { ...prepared, body: { requestId: actions.find(({ type }) => type === 'REQUEST_CORRECTION')?.id } };
  }

  /** A declaration that the country configuration will answer later, as its answer needs it. */
  async function requested(): Promise<Unknown> {
    const eventId = await anEvent();
    country.behave(answers(202));
    const { actions } = await done('event-actions-declare', await asRegistrar(eventId));
    country.behave(answers(200));
    const actionId = actions.find(({ status }) => status === 'Requested')?.id ?? '';
    const { token } = await service.registerClient('EXTERNAL_VALIDATION');
    return { token, path: { eventId, actionId, action: 'declare' }, body: { eventId } };
  }

  /** A member of what the country configuration was told last about a user, as `/trigger/user/2fa` tells it. */
  async function told(notice: string, username: string, member: 'code' | 'token'): Promise<string> {
    const find = (): string | undefined =>
      country.notifications
        .filter(({ target }) => target === `/trigger/user/${notice}`)
        .map(({ body }) => JSON.parse(body.toString()) as { recipient: { username?: string }; [key: string]: unknown })
        .findLast((body) => JSON.stringify(body).includes(username))?.[member] as string | undefined;
    await eventually(`${username} is sent ${notice}`, () => find() !== undefined);
    return find() ?? '';
  }

  /** An active user with a security question. */
  async function aUser(): Promise<{ readonly id: string; readonly username: string; readonly email: string }> {
    const username = `amina.${randomUUID()}`;
    const user = { username, email: `${username}@example.org` };
    const { id } = await done('users-create', { body: user });
    const { nonce } = await done('auth-verifyRecoveryToken', {
      body: { token: await told('user-created', username, 'token') },
    });
    const securityQuestions = ['BIRTH_TOWN', 'HIGH_SCHOOL'].map((questionKey) => ({ questionKey, answer: ANSWER }));
    await done('auth-changePassword', { body: { nonce, securityQuestions } });
    return { id, ...user };
  }

  const begun = async (): Promise<{ readonly nonce: string; readonly code: string }> => {
    const { username } = await aUser();
    const { nonce } = await done('auth-authenticate', { body: { username } });
    return { nonce, code: await told('2fa', username, 'code') };
  };
  const session = async (): Promise<Answered> => done('auth-verifyCode', { body: await begun() });

  /** The token of a link that a user asked for. */
  async function link(retrieveFlow = 'password'): Promise<string> {
    const { email } = await aUser();
    await done('auth-verifyUser', { body: { email, mobile: undefined, retrieveFlow } });
    return told(retrieveFlow === 'password' ? 'password-reset-link' : 'username-reminder-link', email, 'token');
  }
  const nonceOf = async (retrieveFlow?: string): Promise<Unknown> => {
    const { nonce } = await done('auth-verifyRecoveryToken', { body: { token: await link(retrieveFlow) } });
    return { body: { nonce } };
  };
  const answered = async (retrieveFlow?: string): Promise<Unknown> => {
    const prepared = await nonceOf(retrieveFlow);
    await done('auth-verifySecurityAnswer', prepared);
    return prepared;
  };

  const place = async (path: string, id: string): Promise<Unknown> => {
    const { json } = await service.request('GET', `/${path}/${id}`, { token: await administrator() });
    const version = (json as Answered).versions.at(-1);
    return { path: { id }, body: { lastVersionId: version?.versionId } };
  };
  const withScan: Unknown = { body: { file: aPng() } };

  const PREPARED: Readonly<Record<string, () => Promise<Unknown>>> = {
    'auth-token': async () => ({ body: without(await credentials()) }),
    'auth-authenticateSystemClient': async () => ({ body: without(await credentials()) }),
    'auth-authenticate': async () => ({ body: { username: (await aUser()).username } }),
    'auth-verifyCode': async () => ({ body: await begun() }),
    'auth-resendAuthenticationCode': async () => ({ body: { nonce: (await begun()).nonce } }),
    'auth-refreshToken': async () => ({ body: { token: (await session()).refreshToken } }),
    'auth-invalidateToken': async () => ({ body: { token: (await session()).token } }),
    'auth-verifyToken': async () => ({ body: { token: await administrator() } }),
    'auth-revoke': async () => ({ body: await credentials() }),
    'auth-introspect': async () => ({ body: await credentials() }),
    'auth-verifyRecoveryToken': async () => ({ body: { token: await link() } }),
    'auth-verifySecurityAnswer': () => nonceOf(),
    'auth-changePassword': () => answered(),
    'auth-sendUserName': () => answered('username'),
    'systemClient-deactivate': aClient,
    'systemClient-reactivate': async () => {
      const client = await aClient();
      await done('systemClient-deactivate', client);
      return client;
    },
    'systemClient-rotateShaSecret': aClient,
    'systemClient-setWebhookFormat': aClient,
    'integrations-setKeys': async () => {
      const { clientId } = await done('integrations-create');
      return { path: { id: clientId } };
    },
    'locations-updateById': () => place('locations', FACILITY),
    'locations-update': () => place('locations', FACILITY),
    'administrativeAreas-updateById': () => place('administrative-areas', DISTRICT),
    'administrativeAreas-update': () => place('administrative-areas', DISTRICT),
    'users-update': async () => ({ path: { id: (await aUser()).id } }),
    'webhook-subscribe': ofSubscriber,
    'webhook-replay': async () => {
      const subscriber = await ofSubscriber();
      await done('webhook-subscribe', subscriber);
      const { json } = await service.request('GET', '/webhooks', { token: subscriber.token });
      const [webhook] = (json as { readonly entries: readonly Answered[] }).entries;
      return { token: subscriber.token, path: { webhookId: webhook?.id ?? '' } };
    },
    'attachments-upload': async () => ({ ...(await ofHospital()), ...withScan }),
    'attachments-uploadAsText': async () => ({ ...(await ofHospital()), ...withScan }),
    'trpc-mutate': () => Promise.resolve({ path: { procedures: 'event.search' } }),
    'event-trigger': () => Promise.resolve({ path: { eventType: 'birth', action: 'REGISTER' } }),
    'event-create': ofHospital,
    'event-createAndNotify': ofHospital,
    'event-notifications': async () => {
      const hospital = await ofHospital();
      return { ...hospital, body: { eventId: (await done('event-create', hospital)).id } };
    },
    'event-notify': async () => {
      const hospital = await ofHospital();
      return { ...hospital, path: { eventId: (await done('event-create', hospital)).id } };
    },
    'event-requestCorrection': after('declare', 'register'),
    'event-approveCorrection': correction,
    'event-rejectCorrection': correction,
    'event-actions-accept': requested,
    'event-actions-rejectRequest': requested,
    'event-acceptByType': requested,
    'event-rejectByType': requested,
    'event-actions-declare': after(),
    'event-actions-edit': after('declare'),
    'event-actions-register': after('declare'),
    'event-actions-reject': after('declare'),
    'event-actions-archive': after('declare'),
    'event-actions-unarchive': after('declare', 'archive'),
    'event-actions-printCertificate': after('declare', 'register'),
    'event-actions-markAsDuplicate': async () => {
      const [duplicateOf, eventId] = await twins();
      return { ...(await asRegistrar(eventId)), body: { content: { duplicateOf } } };
    },
    'event-actions-markAsNotDuplicate': async () => asRegistrar((await twins())[1]),
    'event-actions-revokeRegistration': after('declare', 'register'),
    'event-actions-reinstateRegistration': after('declare', 'register', 'revokeRegistration'),
    'event-actions-deactivateRegistration': after('declare', 'register'),
    'event-actions-reactivateRegistration': after('declare', 'register', 'deactivateRegistration'),
    'event-actions-assign': after(),
    'event-actions-unassign': after(),
    'event-actions-custom': after('declare', 'register'),
  };

  return async (body) => {
    const outcome = async (): Promise<string> => {
      const { status, body: text } = await send(body, (await PREPARED[body.operationId]?.()) ?? {});
      return status < 300 ? '2xx' : `${status} ${text}`;
    };
    return `${body.operationId} ${body.type} ${await outcome().catch(String)}`;
  };
}

/** An example with a transaction of its own. */
const fresh = (example: unknown): object => ({
  ...(example as object),
  ...(Object.hasOwn(example as object, 'transactionId') && { transactionId: randomUUID() }),
});

const without = ({ client_id, client_secret }: { client_id: string; client_secret: string }) => ({
  client_id,
  client_secret,
});

/** A body in a media type, with what its `Content-Type` says. */
function encoded(type: string, body: object | string): readonly [string, string | Buffer] {
  if (typeof body === 'string') return [type, body];
  switch (type) {
    case 'application/x-www-form-urlencoded':
      return [type, new URLSearchParams(body as Record<string, string>).toString()];
    case 'multipart/form-data':
      return [
        MULTIPART,
        multipart(
          Object.entries(body as Readonly<Record<string, string | Uint8Array>>).map(([name, value]) =>
            typeof value === 'string' ? field(name, value) : file(value),
          ),
        ),
      ];
    default:
      return [type, JSON.stringify(body)];
  }
}
