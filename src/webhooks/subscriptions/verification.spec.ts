import { gzipSync } from 'node:zlib';

import type { Exchange } from '../../platform/outbound/exchange.js';
import { disagreement, newChallenge, verificationUrl } from './subscribe.js';

type Answered = Extract<Exchange, { readonly kind: 'answered' }>;

const answered = (body: string | Buffer, status = 200, more: Partial<Answered> = {}): Exchange => ({
  kind: 'answered',
  status,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from(body),
  whole: true,
  durationMs: 1,
  ...more,
});

describe('newChallenge', () => {
  it('has at least 128 bits, in characters that need no encoding, and is another one each time', () => {
    const challenges = Array.from({ length: 100 }, newChallenge);
    for (const challenge of challenges) expect(challenge).toMatch(/^[A-Za-z0-9-]{32,}$/);
    expect(new Set(challenges).size).toBe(100);
  });
});

describe('verificationUrl', () => {
  it.each([
    ['https://a.example/hook', 'https://a.example/hook?mode=subscribe&challenge=c-1&topic=BIRTH_REGISTERED'],
    ['https://a.example', 'https://a.example/?mode=subscribe&challenge=c-1&topic=BIRTH_REGISTERED'],
    [
      'https://a.example/hook?token=a%20b+c&x',
      'https://a.example/hook?token=a%20b+c&x&mode=subscribe&challenge=c-1&topic=BIRTH_REGISTERED',
    ],
  ])('keeps the query of %s', (callback, expected) => {
    expect(verificationUrl(new URL(callback), 'BIRTH_REGISTERED', 'c-1').href).toBe(expected);
  });
});

describe('disagreement', () => {
  it.each(['{"challenge":"c-1"}', ' {"challenge": "c-1", "more": 1}\n', '\ufeff{"challenge":"c-1"}'])(
    'takes %j for an agreement',
    (body) => {
      expect(disagreement(answered(body), 'c-1')).toBeUndefined();
      expect(disagreement(answered(body, 204), 'c-1')).toBeUndefined();
    },
  );

  const compressed: Partial<Answered> = { headers: { 'content-encoding': 'gzip' } };
  const otherChallenge = 'the answer does not have the challenge';
  it.each<readonly [string, Exchange, string]>([
    ['another challenge', answered('{"challenge":"c-2"}'), otherChallenge],
    ['the challenge in another letter case', answered('{"challenge":"C-1"}'), otherChallenge],
    ['a list', answered('{"challenge":["c-1"]}'), otherChallenge],
    ['the challenge as text', answered('c-1'), 'the answer is no JSON object'],
    ['null', answered('null'), 'the answer is no JSON object'],
    ['no JSON', answered('<challenge>c-1</challenge>'), 'the answer is no JSON object'],
    ['an empty body', answered(''), 'the answer is no JSON object'],
    [
      'gzip',
      answered(gzipSync('{"challenge":"c-1"}'), 200, compressed),
      'the answer is compressed, which was not asked for',
    ],
    [
      'an answer that broke off',
      answered('{"challenge":"c-1"}', 200, { whole: false }),
      'the answer is too long, too slow or broken off',
    ],
    ['a redirect', answered('{"challenge":"c-1"}', 302), 'the answer has the status 302'],
    ['a refusal', answered('{"challenge":"c-1"}', 404), 'the answer has the status 404'],
    ['silence', { kind: 'unreachable', errorClass: 'timeout', code: '', durationMs: 1 }, 'no answer (timeout)'],
    [
      'a closed port',
      { kind: 'unreachable', errorClass: 'connect', code: 'ECONNREFUSED', durationMs: 1 },
      'no answer (connect: ECONNREFUSED)',
    ],
    ['an exchange that was given up', { kind: 'withdrawn', durationMs: 1 }, 'the service is stopping'],
  ])('says why %s is no agreement', (_, exchange, reason) => {
    expect(disagreement(exchange, 'c-1')).toBe(reason);
  });
});
