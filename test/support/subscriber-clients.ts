import { AddressPolicy } from '../../src/platform/outbound/address-policy.js';
import type { Exchange } from '../../src/platform/outbound/exchange.js';
import { OutboundClient } from '../../src/platform/outbound/outbound-client.js';
import type { ResolveHost } from '../../src/platform/outbound/resolve-host.js';
import { type ScriptedSubscriber, startScriptedSubscriber, testAuthority } from './scripted-subscriber.js';
import { HANG_MS } from './time-outs.js';

const opened: (() => Promise<void>)[] = [];

/** Closes the subscribers and clients of a test, the last first. */
export async function closeOpened(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}

/** A subscriber that lives as long as the test. */
export async function aSubscriber(
  options?: Parameters<typeof startScriptedSubscriber>[0],
): Promise<ScriptedSubscriber> {
  const subscriber = await startScriptedSubscriber(options);
  opened.push(() => subscriber.close());
  return subscriber;
}

interface ClientOptions {
  readonly allow?: readonly string[];
  readonly resolve?: ResolveHost;
  readonly allowHttp?: boolean;
  readonly authority?: string | undefined;
  /** How long it waits for an answer; longer than any test takes if it is not given. */
  readonly timeoutMs?: number;
}

const noNames: ResolveHost = (name) => Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));

/** A client that may reach this machine and knows no names, unless it is said otherwise. */
export function aClient({
  allow = ['127.0.0.0/8'],
  resolve = noNames,
  allowHttp = false,
  timeoutMs = HANG_MS,
  ...more
}: ClientOptions = {}): OutboundClient {
  const client = new OutboundClient({
    policy: new AddressPolicy(allow),
    resolve,
    allowHttp,
    timeoutMs,
    certificateAuthorities: 'authority' in more ? more.authority : testAuthority.certificate,
  });
  opened.push(() => client.close());
  return client;
}

/** Posts an empty object. */
export const post = (client: OutboundClient, url: string): Promise<Exchange> =>
  client.exchange({
    method: 'POST',
    url: new URL(url),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
  });

/** An exchange without its duration, which a test cannot know. */
export const without = (exchange: Exchange): unknown => ({ ...exchange, durationMs: undefined, headers: undefined });
