import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { transformFileSync } from '@swc/core';
import { Secret } from '../../src/platform/config/secret.js';
import { atOnce } from '../../src/platform/queue/time-slice.js';
import { contextBundle } from '../../src/webhooks/notification/context-bundle.js';
import { bodyOf, envelopeOf } from '../../src/webhooks/notification/envelope.js';
import {
  contextSignature,
  contextText,
  notificationHeaders,
} from '../../src/webhooks/notification/notification-headers.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anInstant } from '../support/builders/an-instant.js';
import { isInstalled } from '../support/installed-program.js';

const SHA_SECRET = '0f9d6d3a-6c1b-4c57-9b1e-5a2f7c8e4d10';
const DELIVERY_ID = aUuid(0xd1);
const TOLERANCE_SECONDS = 300;

const directory = mkdtempSync(join(tmpdir(), 'matricula-signatures-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** How the example of a language is run, what that needs, and what must be done once before. */
interface Language {
  /** A program that tells its version; without it the language is skipped. */
  readonly needs: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly prepare?: () => void;
}

/** For Java: most of a short run is otherwise spent on making a long one quick. */
const BRIEFLY = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const example = (path: string): string => resolve('examples/verify-signature', path);

const LANGUAGES: readonly (readonly [string, Language])[] = [
  [
    'TypeScript',
    {
      needs: process.execPath,
      program: process.execPath,
      arguments: [join(directory, 'check.js')],
      prepare: () => {
        for (const name of ['check', 'verify-notification']) {
          const { code } = transformFileSync(example(`typescript/${name}.ts`), { jsc: { target: 'es2022' } });
          writeFileSync(join(directory, `${name}.js`), code);
        }
        writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
      },
    },
  ],
  // Leaves no compiled files among the examples.
  ['Python', { needs: 'python3', program: 'python3', arguments: ['-B', example('python/check.py')] }],
  [
    'Java',
    {
      needs: 'javac',
      program: 'java',
      arguments: [...BRIEFLY, '-cp', directory, 'Check'],
      prepare: () => {
        const sources = ['NotificationVerifier', 'Check'].map((name) => example(`java/${name}.java`));
        const { status, stderr } = spawnSync('javac', [
          ...BRIEFLY.map((option) => `-J${option}`),
          '-d',
          directory,
          ...sources,
        ]);
        expect([status, stderr.toString()]).toEqual([0, '']);
      },
    },
  ],
  ['PHP', { needs: 'php', program: 'php', arguments: [example('php/check.php')] }],
];

interface Sent {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Buffer;
}

/** A notification as the service makes it, of somebody whose names are not ASCII. */
function sent(atSeconds: number, key = SHA_SECRET): Sent {
  const change = aPublishedChange();
  const name = { firstname: 'Åsa 😀', middlename: 'Ñandú', surname: 'Öst/<&> "ключ"' };
  const record = { ...change.record, declaration: { 'child.name': name } };
  const bundle = contextBundle({
    topic: 'BIRTH_REGISTERED',
    record,
    actionId: aUuid(1),
    files: new Map(),
    areaOf: () => null,
    nameOf: () => null,
  });
  const context = atOnce(contextText(bundle, 'standard'));
  const notice = {
    format: 'standard',
    deliveryId: DELIVERY_ID,
    subscriptionId: aUuid(2),
    topic: 'BIRTH_REGISTERED',
    // Would mislead whoever looks for keys without heeding quotes.
    callback: 'https://example.org/hook?"hmac":"x","context":[0]}',
    createdAt: anInstant('2026-01-02T03:04:05Z'),
  } as const;
  const secret = new Secret(key);
  const body = bodyOf(
    envelopeOf(notice, () => contextSignature(context, secret)),
    context,
  );
  const attempt = { format: 'standard', deliveryId: DELIVERY_ID, body, atSeconds } as const;
  const headers = atOnce(notificationHeaders({ ...attempt, correlationId: 'c-1' }, { own: secret, all: [secret] }));
  return {
    id: headers['webhook-id'] ?? '',
    timestamp: headers['webhook-timestamp'] ?? '',
    signature: headers['webhook-signature'] ?? '',
    body,
  };
}

function replaced(right: Sent, from: string, to: string): Sent {
  const body = Buffer.from(right.body.toString('latin1').replace(from, to), 'latin1');
  expect(body.equals(right.body)).toBe(false);
  return { ...right, body };
}

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);
const CASES: readonly (readonly [string, (right: Sent) => Sent, signature: boolean, context: boolean])[] = [
  ['one that is genuine', (right) => right, true, true],
  ['one that a clock two minutes ahead of ours signed', () => sent(nowSeconds() + 120), true, true],
  [
    'a genuine signature among others',
    (right) => ({ ...right, signature: `v1,x v2,y ${right.signature}` }),
    true,
    true,
  ],
  ['a stale one', () => sent(nowSeconds() - TOLERANCE_SECONDS - 5), false, true],
  ['one from the future', () => sent(nowSeconds() + TOLERANCE_SECONDS + 60), false, true],
  ['one under another secret', () => sent(nowSeconds(), 'another secret'), false, false],
  ['another time than was signed', (right) => ({ ...right, timestamp: String(nowSeconds() + 60) }), false, true],
  ['a time that is none', (right) => ({ ...right, timestamp: '1e9' }), false, true],
  ['another id than was signed', (right) => ({ ...right, id: aUuid(0xd2) }), false, true],
  ['no signature', (right) => ({ ...right, signature: '' }), false, true],
  ['a part of the signature', (right) => ({ ...right, signature: right.signature.slice(0, -1) }), false, true],
  ['another name than was signed', (right) => replaced(right, String.raw`\u00c5sa`, 'Asa'), false, false],
  [
    'the same name in other bytes',
    (right) => replaced(right, String.raw`\u00c5sa`, String.raw`\u00C5sa`),
    false,
    false,
  ],
  ['another delivery id in the body', (right) => replaced(right, DELIVERY_ID, aUuid(0xd2)), false, true],
  ['a context that is followed by another', (right) => replaced(right, ']}', '],"context":[{}]}'), false, false],
  ['an empty body', (right) => ({ ...right, body: Buffer.alloc(0) }), false, false],
];

for (const [name, { needs, program, arguments: options, prepare }] of LANGUAGES) {
  const runs = isInstalled(needs, `the verification of signatures in ${name}`);
  (runs ? describe : describe.skip)(`the example in ${name}`, () => {
    beforeAll(() => prepare?.());

    const check = ({ id, timestamp, signature, body }: Sent): string => {
      const result = spawnSync(program, [...options, id, timestamp, signature], {
        input: body,
        env: { PATH: process.env.PATH, SHA_SECRET },
      });
      expect([result.status, result.stderr.toString()]).toEqual([0, '']);
      return result.stdout.toString();
    };
    const words = (genuine: boolean): string => (genuine ? 'genuine' : 'refused');

    it.each(CASES)('judges %s', (_, make, signature, context) => {
      expect(check(make(sent(nowSeconds())))).toBe(`signature: ${words(signature)}\ncontext: ${words(context)}\n`);
    });
  });
}
