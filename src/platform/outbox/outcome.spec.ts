import { NOT_PERMITTED } from '../outbound/address-policy.js';
import { attempted, FAILED, type MadeExchange, noteOf, outcomeOf } from './outcome.js';

const answered = (status: number, body = '', headers = {}): MadeExchange => ({
  kind: 'answered',
  status,
  headers,
  body: Buffer.from(body),
  whole: true,
  durationMs: 12,
});
const timeout: MadeExchange = { kind: 'unreachable', errorClass: 'timeout', code: '', durationMs: 15_000 };
const reset: MadeExchange = { kind: 'unreachable', errorClass: 'reset', code: 'ECONNRESET', durationMs: 3 };
const refused: MadeExchange = { kind: 'refused', reason: NOT_PERMITTED, durationMs: 1 };

describe('outcomeOf', () => {
  it.each([200, 201, 202, 204, 299])('takes %d for an acknowledgement', (status) => {
    expect(outcomeOf(answered(status), 0)).toEqual({ kind: 'delivered' });
  });

  it('takes 410 for the end of the subscription', () => {
    expect(outcomeOf(answered(410), 0)).toEqual({ kind: 'gone' });
  });

  it.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 409, 413, 500, 502, 504])(
    'takes %d for a failure',
    (status) => {
      expect(outcomeOf(answered(status, '', { 'retry-after': '9' }), 0)).toEqual({
        kind: 'failed',
        retryAfterMs: undefined,
      });
    },
  );

  it.each([429, 503])('heeds Retry-After beside %d', (status) => {
    expect(outcomeOf(answered(status, '', { 'retry-after': '9' }), 0)).toEqual({ kind: 'failed', retryAfterMs: 9_000 });
  });

  it('takes no answer for a failure', () => {
    for (const exchange of [timeout, reset, refused]) {
      expect(outcomeOf(exchange, 0)).toEqual({ kind: 'failed', retryAfterMs: undefined });
    }
  });
});

describe('noteOf', () => {
  it('keeps the status and the first KiB of the answer', () => {
    expect(noteOf(answered(500, 'a'.repeat(2_000)))).toEqual({
      durationMs: 12,
      status: 500,
      error: null,
      response: 'a'.repeat(1_024),
    });
  });

  it('keeps what Postgres can hold of an answer that is no text', () => {
    const exchange: MadeExchange = {
      ...reset,
      kind: 'answered',
      status: 200,
      headers: {},
      body: Buffer.from([0, 0xff, 65]),
      whole: true,
    };
    expect(noteOf(exchange).response).toBe('\ufffd\ufffdA');
  });

  it('keeps no control characters, which JSON writes with six', () => {
    expect(noteOf(answered(200, 'a\u0001\u001b[31m\u007f\u0085\tb\r\n')).response).toBe(
      'a\ufffd\ufffd[31m\ufffd\ufffd\tb\r\n',
    );
  });

  it('keeps what kept an answer from coming', () => {
    expect([timeout, reset, refused].map((exchange) => noteOf(exchange).error)).toEqual([
      'timeout',
      'reset: ECONNRESET',
      'refused: leads to an address that is not permitted',
    ]);
  });
});

describe('attempted', () => {
  const faults: unknown[] = [];
  const judgement = {
    outcomeOf: (exchange: MadeExchange) => outcomeOf(exchange, 0),
    failed: FAILED,
    onFault: (fault: unknown): void => void faults.push(fault),
  };
  beforeEach(() => faults.splice(0));

  it('yields what the exchange came to', async () => {
    expect(await attempted(() => Promise.resolve(answered(200, 'thanks')), judgement)).toEqual({
      outcome: { kind: 'delivered' },
      note: { durationMs: 12, status: 200, error: null, response: 'thanks' },
    });
  });

  it('is none when nothing was sent, because it was not wanted any more', async () => {
    expect(await attempted(() => Promise.resolve({ kind: 'withdrawn', durationMs: 1 }), judgement)).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it('has failed when something goes wrong on our side, and says what', async () => {
    const fault = new TypeError('x is not a function');
    const throws = (): never => {
      throw fault;
    };
    for (const make of [throws, () => Promise.reject(fault)]) {
      expect(await attempted(make, judgement)).toEqual({
        outcome: { kind: 'failed', retryAfterMs: undefined },
        note: { durationMs: expect.any(Number) as number, status: null, error: 'internal: TypeError', response: null },
      });
    }
    expect(faults).toEqual([fault, fault]);
  });
});
