import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import type { verify } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import XHubSignature from 'x-hub-signature';
import { anInstant } from '../../../test/support/builders/an-instant.js';
import { Secret } from '../../platform/config/secret.js';
import { atOnce } from '../../platform/queue/time-slice.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { bodyOf, envelopeOf, formatOfBody, type Notice } from './envelope.js';
import {
  contextSignature,
  contextText,
  escapedJson,
  NOTIFICATION_FORMATS,
  notificationHeaders,
  release1Signature,
} from './notification-headers.js';

const SHA_SECRET = '0f9d6d3a-6c1b-4c57-9b1e-5a2f7c8e4d10';
const KEY = new Secret(SHA_SECRET);
const AT_SECONDS = 1_767_323_045;

const CONTEXT = {
  resourceType: 'Bundle',
  type: 'document',
  entry: [
    { resource: { resourceType: 'Task', id: 't-1', focus: { reference: 'Composition/c-1' } } },
    {
      resource: {
        resourceType: 'Patient',
        id: 'p-1',
        name: [{ use: 'en', given: ['Åsa 😀'], family: ['Öst/<&>'] }],
      },
    },
  ],
};
const ESCAPED_CONTEXT =
  '{"resourceType":"Bundle","type":"document","entry":[' +
  '{"resource":{"resourceType":"Task","id":"t-1","focus":{"reference":"Composition/c-1"}}},' +
  '{"resource":{"resourceType":"Patient","id":"p-1",' +
  String.raw`"name":[{"use":"en","given":["\u00c5sa \ud83d\ude00"],"family":["\u00d6st/<&>"]}]}}]}`;

const notice = (format: Notice['format']): Notice => ({
  format,
  deliveryId: 'd-1',
  subscriptionId: 'w-1',
  topic: 'BIRTH_REGISTERED',
  callback: 'https://example.org/webhooks',
  createdAt: anInstant('2026-01-02T03:04:05Z'),
});

function sent(format: Notice['format'], context: unknown = CONTEXT): { body: Buffer; headers: Record<string, string> } {
  const text = atOnce(contextText(context, format));
  const body = bodyOf(
    envelopeOf(notice(format), () => contextSignature(text, KEY)),
    text,
  );
  const attempt = { format, deliveryId: 'd-1', body, atSeconds: AT_SECONDS, correlationId: 'c-1' };
  return { body, headers: { ...atOnce(notificationHeaders(attempt, { own: KEY, all: [KEY] })) } };
}

/** `@octokit/webhooks-methods` cannot be loaded as CommonJS, which tests are: it runs in a separate process. */
function isGenuineToGitHub(body: string, signature: string): boolean {
  const script = `import { verify } from '@octokit/webhooks-methods';
    console.log(await verify(...JSON.parse(process.argv[1])));`;
  const parameters: Parameters<typeof verify> = [SHA_SECRET, body, signature];
  return (
    execFileSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(parameters)]).toString() ===
    'true\n'
  );
}

describe('a notification', () => {
  it('has the body of the interface, in ASCII and with its keys in order', () => {
    const { body } = sent('standard');
    expect(body.toString('latin1')).toBe(
      '{"payload":{"id":"d-1","timestamp":"2026-01-02T03:04:05.000+00:00","event":{"hub":{"topic":"BIRTH_REGISTERED"}}},' +
        '"url":"https://example.org/webhooks",' +
        '"hmac":"sha256=f5c3d678f469ea13eab44dae0022803dd294633ae25324f37d45b740f69d4302",' +
        `"context":[${ESCAPED_CONTEXT}]}`,
    );
    expect(body).toHaveLength(518);
  });

  it.each(NOTIFICATION_FORMATS)('is known to be %s by its body', (format) => {
    expect(formatOfBody(sent(format).body.toString())).toBe(format);
  });

  it('carries the signatures of the test vectors', () => {
    expect(sent('standard').headers).toEqual({
      'content-type': 'application/json',
      'x-hub-signature': 'sha1=b299e3409627648048ff95465647b8fdcb8f1dea',
      'x-hub-signature-256': `sha256=${createHmac('sha256', SHA_SECRET).update(sent('standard').body).digest('hex')}`,
      'webhook-id': 'd-1',
      'webhook-timestamp': '1767323045',
      'webhook-signature': 'v1,CJOsthJFkpnpGi4NrLLpKpcebhpk0J7Ubhwle5mUSiQ=',
      'x-correlation-id': 'c-1',
    });
  });

  it('is for receivers of releases 1.x what those sent', () => {
    const { body, headers } = sent('opencrvs-1x');
    expect(body.toString()).toBe(
      '{"timestamp":"2026-01-02T03:04:05.000Z","id":"w-1",' +
        `"event":{"hub":{"topic":"BIRTH_REGISTERED"},"context":[${JSON.stringify(CONTEXT)}]}}`,
    );
    expect(headers['x-hub-signature']).toBe('sha256=d00fb5d2f461bbb158b244d62ddb848081a538796fc50f4b3718d0a36b22cb12');
    expect(headers).not.toHaveProperty('x-hub-signature-256');
    expect(headers['webhook-id']).toBe('d-1');
  });

  it('is signed for those in steps, however large, without cutting a character', () => {
    const texts = ['', 'x', `${'x'.repeat(MIB / 2 - 1)}😀${'é'.repeat(MIB / 2)}`];
    for (const [at, text] of texts.entries()) {
      const whole = createHmac('sha256', SHA_SECRET).update(`sha256:${encodeURIComponent(text)}`);
      const steps = release1Signature(Buffer.from(text), KEY);
      let [count, step] = [0, steps.next()];
      for (; step.done !== true; step = steps.next()) count += 1;
      expect(step.value).toBe(`sha256=${whole.digest('hex')}`);
      expect(count).toBe(at);
    }
  });

  it('has an hmac that the steps of the interface arrive at, from the bytes and from the parsed body', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (members) => {
        const text = sent('standard', { resourceType: 'Bundle', members }).body.toString('latin1');
        const parsed = JSON.parse(text) as { hmac: string; context: readonly unknown[] };
        const raw = text.slice(text.indexOf('"context":[') + '"context":['.length, -2);
        const digest = (over: string): string =>
          `sha256=${createHmac('sha256', SHA_SECRET).update(over).digest('hex')}`;
        expect(digest(raw)).toBe(parsed.hmac);
        expect(digest(escapedJson(parsed.context[0]))).toBe(parsed.hmac);
      }),
    );
  });

  it('is genuine to verifiers that are not ours', () => {
    const { body, headers } = sent('standard');
    const text = body.toString();
    expect(new XHubSignature('sha1', SHA_SECRET).verify(headers['x-hub-signature'] ?? '', body)).toBe(true);
    expect(isGenuineToGitHub(text, headers['x-hub-signature-256'] ?? '')).toBe(true);
    expect(isGenuineToGitHub(text.replace('d-1', 'd-2'), headers['x-hub-signature-256'] ?? '')).toBe(false);
    jest.useFakeTimers({ now: AT_SECONDS * 1_000 });
    try {
      const expected: unknown = JSON.parse(text);
      expect(new Webhook(SHA_SECRET, { format: 'raw' }).verify(text, headers)).toEqual(expected);
      const prefixed = `whsec_${Buffer.from(SHA_SECRET).toString('base64')}`;
      expect(new Webhook(prefixed).verify(text, headers)).toEqual(expected);
      expect(() => new Webhook(prefixed).verify(text.replace('d-1', 'd-2'), headers)).toThrow();
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('escapedJson', () => {
  it('escapes every code unit from U+0080 on in lower-case hex, and nothing below', () => {
    expect(escapedJson('\u007f\u0080äöå\u2028\ud800')).toBe(
      String.raw`"` + '\u007f' + String.raw`\u0080\u00e4\u00f6\u00e5\u2028\ud800"`,
    );
    expect(escapedJson({ ключ: 1 })).toBe(String.raw`{"\u043a\u043b\u044e\u0447":1}`);
  });

  it('decodes to the same value', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
        const value: unknown = JSON.parse(json);
        expect(JSON.parse(escapedJson(value))).toEqual(value);
        expect(escapedJson(value)).toMatch(/^[\x00-\x7f]*$/);
      }),
    );
  });
});
