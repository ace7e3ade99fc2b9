import type { Exchange } from '../../outbound/http/exchange.js';
import { isAgreement, newChallenge, verificationUrl } from './verification.js';

const answered = (body: string, status = 200, whole = true): Exchange => ({
  kind: 'answered',
  status,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from(body),
  whole,
  durationMs: 1,
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

describe('isAgreement', () => {
  it.each(['{"challenge":"c-1"}', ' {"challenge": "c-1", "more": 1}\n', '\ufeff{"challenge":"c-1"}'])(
    'takes %j for an agreement',
    (body) => {
      expect(isAgreement(answered(body), 'c-1')).toBe(true);
      expect(isAgreement(answered(body, 204), 'c-1')).toBe(true);
    },
  );

  it.each([
    ['another challenge', answered('{"challenge":"c-2"}')],
    ['the challenge in another letter case', answered('{"challenge":"C-1"}')],
    ['a list', answered('{"challenge":["c-1"]}')],
    ['the challenge as text', answered('c-1')],
    ['null', answered('null')],
    ['no JSON', answered('<challenge>c-1</challenge>')],
    ['an empty body', answered('')],
    ['an answer that broke off', answered('{"challenge":"c-1"}', 200, false)],
    ['a redirect', answered('{"challenge":"c-1"}', 302)],
    ['a refusal', answered('{"challenge":"c-1"}', 404)],
    ['no answer', { kind: 'unreachable', errorClass: 'timeout', code: '', durationMs: 1 }],
  ] as const)('does not take %s for one', (_, exchange) => {
    expect(isAgreement(exchange, 'c-1')).toBe(false);
  });
});
