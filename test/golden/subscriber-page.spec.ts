import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/platform/config/read-config.js';
import { Secret } from '../../src/platform/config/secret.js';
import { parseEventDocument } from '../../src/events/records/parse-event-document.js';
import { projectEvent } from '../../src/events/records/project-event.js';
import { atOnce } from '../../src/platform/queue/time-slice.js';
import { contextBundle } from '../../src/webhooks/notification/context-bundle.js';
import {
  CONTEXT_MAPPINGS,
  DOCUMENT_PREFIX,
  PERSON_IDENTIFIERS,
} from '../../src/webhooks/notification/context-mapping.js';
import { ownHeaders } from '../../src/platform/outbound/outbound-client.js';
import { bodyOf, envelopeOf } from '../../src/webhooks/notification/envelope.js';
import {
  contextSignature,
  contextText,
  notificationHeaders,
} from '../../src/webhooks/notification/notification-headers.js';
import { TOPICS } from '../../src/kernel/domain/life-cycle/topic.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anInstant } from '../support/builders/an-instant.js';
import { CONTEXT_DEVIATIONS } from '../support/context-deviations.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const PAGE = readFileSync('docs/reference/webhooks.md', 'utf8');
const SHA_SECRET = '0f9d6d3a-6c1b-4c57-9b1e-5a2f7c8e4d10';
const DELIVERY_ID = 'dca48948-0100-4915-b0aa-3d3d8dd5ab5c';
const AT_SECONDS = 1_780_477_201;

/** What stands on the page between fences of the language. */
const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);

/** The notification of the birth that the example subscriber is tried with. */
function notification(format: 'standard' | 'opencrvs-1x'): Buffer {
  const parsed = parseEventDocument(JSON.parse(readFileSync('examples/subscriber/birth.json', 'utf8')));
  if (parsed.kind === 'faulty') throw new Error(JSON.stringify(parsed.issues));
  const action = parsed.value.actions.at(-1);
  const bundle = contextBundle({
    topic: 'BIRTH_REGISTERED',
    record: projectEvent(parsed.value, WITHOUT_FORMS).record,
    actionId: action?.id ?? aUuid(),
    files: new Map(),
    areaOf: () => null,
    nameOf: () => null,
  });
  const context = atOnce(contextText(bundle, format));
  const notice = {
    format,
    deliveryId: DELIVERY_ID,
    subscriptionId: '1a1f97ff-e5dc-40ee-9314-b833ffe8c77c',
    topic: 'BIRTH_REGISTERED',
    callback: 'https://subscriber.example/notifications',
    createdAt: anInstant('2026-06-03T09:00:00.412Z'),
  } as const;
  return bodyOf(
    envelopeOf(notice, () => contextSignature(context, new Secret(SHA_SECRET))),
    context,
  );
}

describe('the page for subscribers', () => {
  it('shows the verification as it stands in its file', () => {
    expect(blocks('ts')).toEqual([readFileSync('examples/verify-signature/typescript/verify-notification.ts', 'utf8')]);
  });

  it('shows a notification as it is sent', () => {
    const [body = '', old = ''] = blocks('json').filter((block) => block.includes('"resourceType"'));
    expect(JSON.parse(body)).toEqual(JSON.parse(notification('standard').toString()));
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['payload', 'url', 'hmac', 'context']);
    const { event, ...rest } = JSON.parse(notification('opencrvs-1x').toString()) as { event: { hub: object } };
    expect(JSON.parse(old)).toEqual({
      ...rest,
      event: { hub: event.hub, context: [{ resourceType: 'Bundle', type: 'document', entry: [] }] },
    });
  });

  it('shows the headers of it, and the secret that signs them', () => {
    const attempt = {
      format: 'standard',
      deliveryId: DELIVERY_ID,
      body: notification('standard'),
      atSeconds: AT_SECONDS,
      correlationId: '86bc11ca-8be1-4adf-a90c-2f3784d4c137',
    } as const;
    const own = new Secret(SHA_SECRET);
    const sent = { ...ownHeaders(), ...atOnce(notificationHeaders(attempt, { own, all: [own] })) };
    const lines = Object.entries({ ...sent, 'user-agent': 'Matricula/2.0.0' });
    const [headers] = blocks('http').filter((block) => block.startsWith('POST /notifications'));
    expect(headers?.trimEnd().split('\n').slice(2)).toEqual(lines.map(([name, value]) => `${name}: ${value}`));
    expect(PAGE).toContain(`\`${SHA_SECRET}\``);
  });

  it('names every topic, and what is set unless a deployment says otherwise', () => {
    for (const topic of TOPICS) expect(PAGE).toContain(`\`${topic}\``);
    const config = readConfig({ SECRETS_KEY: Buffer.alloc(32).toString('base64') });
    const waits = config.WEBHOOK_RETRY_SECONDS;
    expect(blocks('text')).toContain(`${waits.map(durationOf).join(', ')}\n`);
    const hours = Math.round(waits.reduce((sum, seconds) => sum + seconds, 0) / 3_600);
    for (const said of [
      `${waits.length + 1} attempts`,
      `about ${hours} hours`,
      `${config.WEBHOOK_TIMEOUT_SECONDS} seconds`,
      `${config.WEBHOOK_DISABLE_AFTER_HOURS} hours`,
      `${config.WEBHOOK_RETENTION_DAYS} days`,
      `at most ${config.WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION} at a time`,
    ]) {
      expect(PAGE.replace(/\s+/g, ' ')).toContain(said);
    }
  });

  it('names every field of a declaration that a context is made of, and every code', () => {
    for (const { code, trackingId, registrationNumber, persons } of CONTEXT_MAPPINGS.values()) {
      const prefixes = persons.map(({ prefix }) => `\`${prefix}\``).join(', ');
      const roles = persons.map(({ role }) => `\`${role}\``);
      const others = persons.flatMap(({ registrationNumberType = [], deceasedOn = [] }) =>
        [registrationNumberType, deceasedOn].flat().map((name) => `\`${name}\``),
      );
      const identifiers = [`\`id/${trackingId}\``, `\`id/${registrationNumber}\``];
      for (const name of [`\`${code}\``, prefixes, ...roles, ...others, ...identifiers]) expect(PAGE).toContain(name);
    }
    for (const [suffix, type] of PERSON_IDENTIFIERS) expect(PAGE).toMatch(new RegExp(`\\.${suffix}\`, \`${type}\``));
    expect(PAGE).toContain(`\`${DOCUMENT_PREFIX}\``);
  });

  it('lists every point in which a context is not FHIR R4', () => {
    const rows = PAGE.slice(PAGE.indexOf('## Where the context differs'))
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, element = '']) => /^`(Bundle|Patient|DocumentReference)\./.test(element));
    expect(rows.map(([, ...cells]) => cells.slice(0, 4))).toEqual(
      CONTEXT_DEVIATIONS.map(({ element, r4, here, because }) => [`\`${element}\``, r4, here, because]),
    );
  });
});

const durationOf = (seconds: number): string =>
  seconds % 3_600 === 0 ? `${seconds / 3_600} h` : seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
