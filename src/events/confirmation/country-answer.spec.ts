import type { MadeExchange } from '../../platform/outbox/outcome.js';
import { countryAnswerOf } from './country-answer.js';

const answered = (
  status: number,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): MadeExchange => ({
  ...{ kind: 'answered', status, headers, body: Buffer.from(body), whole: true, durationMs: 1 },
});

const accepted = (given: object = {}): object => ({
  ...{ kind: 'accepted', declaration: {}, annotation: null, registrationNumber: undefined },
  ...given,
});
const failed = (error?: string): object => ({ kind: 'failed', retryAfterMs: undefined, error });

const values = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1]));

describe('an answer of the country configuration (E-7)', () => {
  it.each([
    ['', accepted()],
    ['{}', accepted()],
    ['{"declaration": null, "annotation": null, "registrationNumber": null}', accepted()],
    [
      '{"declaration": {"a": null, "b": {"c": 1}}, "annotation": {"d": true}, "registrationNumber": "N-1", "more": 1}',
      accepted({ declaration: { a: null, b: { c: 1 } }, annotation: { d: true }, registrationNumber: 'N-1' }),
    ],
    // Adlam digits, of which each has two units of UTF-16.
    [`{"registrationNumber": "${'𞥑'.repeat(100)}"}`, accepted({ registrationNumber: '𞥑'.repeat(100) })],
    ['OK', failed('answer: body: must be a JSON object')],
    ['[]', failed('answer: body: must be a JSON object')],
    [
      '{"registrationNumber": "N-1", "registrationNumber": "N-2"}',
      failed('answer: registrationNumber: is given twice'),
    ],
    ['{"declaration": {"a": {"b": 1, "\\u0062": 2}}}', failed('answer: declaration.a.b: is given twice')],
    [
      '{"declaration": {"a": 0.1234567890123456789}}',
      failed('answer: declaration.a: must be a number that can be kept exactly; longer ones go in as text'),
    ],
    ['{"declaration": []}', failed('answer: declaration: must be an object that maps field ids to values')],
    [
      '{"annotation": 1, "registrationNumber": ""}',
      failed(
        'answer: annotation: must be an object that maps field ids to values; ' +
          'registrationNumber: must be text of 1 to 100 characters',
      ),
    ],
    [
      `{"registrationNumber": "${'9'.repeat(101)}"}`,
      failed('answer: registrationNumber: must be text of 1 to 100 characters'),
    ],
    ['{"registrationNumber": 17}', failed('answer: registrationNumber: must be text of 1 to 100 characters')],
    ['{"registrationNumber": "\\u0000"}', failed('answer: registrationNumber: must be text of 1 to 100 characters')],
  ])('with 200 and %j', (body, expected) => {
    expect(countryAnswerOf(answered(200, body), 0)).toEqual(expected);
  });

  it('with 200 in another encoding than UTF-8 cannot be used: its letters would be lost', () => {
    const body = Buffer.from('{"declaration": {"child.name": "José"}}', 'latin1');
    expect(countryAnswerOf(answered(200, body), 0)).toEqual(failed('answer: body: must be UTF-8'));
  });

  it.each([
    ['', undefined],
    ['no', undefined],
    ['{"message": "no such mother"}', 'no such mother'],
    ['{"content": {"reason": "blurred"}, "message": "Bad Request"}', 'blurred'],
    [`{"reason": "${'x'.repeat(2_000)}"}`, 'x'.repeat(1_000)],
  ])('with 400 and %j rejects', (body, reason) => {
    expect(countryAnswerOf(answered(400, body), 0)).toEqual({ kind: 'rejected', reason });
  });

  it('with 202 leaves it to wait; any other, or none, has it asked again', () => {
    expect(countryAnswerOf(answered(202), 0)).toEqual({ kind: 'waiting' });
    for (const status of [201, 204, 301, 401, 404, 422, 500]) {
      expect(countryAnswerOf(answered(status), 0)).toEqual(failed());
    }
    expect(countryAnswerOf({ kind: 'unreachable', errorClass: 'timeout', code: '', durationMs: 1 }, 0)).toEqual(
      failed(),
    );
    expect(countryAnswerOf(answered(503, '', { 'retry-after': '7' }), 0)).toEqual({
      ...failed(),
      retryAfterMs: 7_000,
    });
  });

  it('is refused in a few words, however much is wrong with it', () => {
    const key = 'k'.repeat(32_000);
    const body = `{"declaration": {"${key}": [${Array.from({ length: 6_000 }, () => '9e99').join()}]}}`;
    const first =
      `declaration["${'k'.repeat(300)}…"][0]: must be a number that can be kept exactly; ` +
      'longer ones go in as text; declaration["k';
    const { error = '' } = countryAnswerOf(answered(200, body), 0) as { readonly error?: string };
    expect([error.length, error.slice(0, 8 + first.length)]).toEqual([1_000, `answer: ${first}`]);
  });

  it('has no more in it than an operation', () => {
    const body = JSON.stringify({ declaration: values(2_001), annotation: values(2_001) });
    expect(countryAnswerOf(answered(200, body), 0)).toEqual(
      failed('answer: declaration: has more than 2000 values; annotation: has more than 2000 values'),
    );
  });

  it('that is cut short is none', () => {
    expect(countryAnswerOf({ ...answered(200, '{}'), whole: false } as MadeExchange, 0)).toEqual(
      failed('answer: body: is too long, or was cut short'),
    );
    expect(countryAnswerOf({ ...answered(400, '{"reason": "blu'), whole: false } as MadeExchange, 0)).toEqual(
      failed('answer: body: was cut short'),
    );
  });

  it('with a 400 that is too long rejects all the same, without a reason', () => {
    const body = `{"reason": "${'x'.repeat(64 * 1_024)}`.slice(0, 64 * 1_024);
    expect(countryAnswerOf({ ...answered(400, body), whole: false } as MadeExchange, 0)).toEqual({
      kind: 'rejected',
      reason: undefined,
    });
  });
});
