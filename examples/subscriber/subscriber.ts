// A subscriber to try out, and to begin your own from: see README.md beside it.
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { env } from 'node:process';

import type { Notification } from './inbox.js';
import { Inbox } from './inbox.js';
import { notificationHandler } from './notification-handler.js';
import { subscribe } from './subscribe.js';

function needed(name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is missing`);
  return value;
}

const tell = (line: string): void => {
  console.log(line);
};

/** What a real subscriber would do about it stands here. */
function handle({ payload, context: [bundle] }: Notification): Promise<void> {
  const patient = bundle.entry.map(({ resource }) => resource).find(({ resourceType }) => resourceType === 'Patient');
  const names = patient?.name?.map(({ given = [], family = [] }) => [...given, ...family].join(' ')) ?? [];
  tell(`${payload.event.hub.topic}: ${names.join(', ')}`);
  return Promise.resolve();
}

const client = {
  matriculaUrl: env['MATRICULA_URL'] ?? 'http://127.0.0.1:7070',
  clientId: needed('CLIENT_ID'),
  clientSecret: needed('CLIENT_SECRET'),
  shaSecret: needed('SHA_SECRET'),
};
const topics = (env['TOPICS'] ?? 'BIRTH_REGISTERED,DEATH_REGISTERED').split(',');
const inbox = new Inbox(env['INBOX'] ?? 'inbox.ndjson');
const handler = notificationHandler({ shaSecret: client.shaSecret, topics, inbox, tell });
const [cert, key] = [env['TLS_CERT_FILE'], env['TLS_KEY_FILE']];
const isSecure = cert !== undefined && key !== undefined;
const server = isSecure
  ? createHttpsServer({ cert: readFileSync(cert), key: readFileSync(key) }, handler)
  : createHttpServer(handler);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // What is under way is acknowledged first.
    server.close(() => process.exit(0));
    server.closeIdleConnections();
  });
}

await new Promise<void>((resolve) => server.listen(Number(env['PORT'] ?? 8080), env['HOST'] ?? '127.0.0.1', resolve));
void inbox.work(handle);
const { port } = server.address() as AddressInfo;
const callback = env['CALLBACK_URL'] ?? `http${isSecure ? 's' : ''}://127.0.0.1:${port}/notifications`;
tell(`listening on port ${port}`);
await subscribe(client, callback, topics);
tell(`subscribed ${callback} to ${topics.join(', ')}`);
