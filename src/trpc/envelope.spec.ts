import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';

import { MIB } from '../domain/bytes.js';
import type { ErrorCode } from '../errors/service-error.js';
import { ERROR_STATUS } from '../errors/service-error.js';
import type { Outcome, Text } from './envelope.js';
import { envelopeOf, statusOf } from './envelope.js';

const done = (json: Text): Outcome => ({ kind: 'done', json });
const failed = (code: ErrorCode): Outcome => ({
  kind: 'failed',
  path: 'event.search',
  code,
  message: 'no',
  issues: [],
});

const whole = (...given: Parameters<typeof envelopeOf>): string => {
  const envelope = envelopeOf(...given);
  if (envelope instanceof Readable) throw new Error('it is a stream');
  return envelope.toString();
};

describe('envelopeOf', () => {
  it('has the codes of tRPC for each of ours', () => {
    for (const code of Object.keys(ERROR_STATUS) as ErrorCode[]) {
      const { error } = JSON.parse(whole([failed(code)], false)) as {
        error: { json: { message: string; code: number; data: { code: keyof typeof TRPC_ERROR_CODES_BY_KEY } } };
      };
      const name = error.json.data.code;
      expect([code, error.json.code]).toEqual([code, TRPC_ERROR_CODES_BY_KEY[name]]);
      expect(error.json.data).toEqual({ code: name, httpStatus: ERROR_STATUS[code], path: 'event.search' });
    }
  });

  it('puts one answer alone and several into a list, whatever they are made of', async () => {
    expect(whole([done('{"a":1}')], false)).toBe('{"result":{"data":{"json":{"a":1}}}}');
    expect(whole([done('null')], true)).toBe('[{"result":{"data":{"json":null}}}]');
    expect(whole([done('1'), done(Buffer.from('{"é":1}'))], true)).toBe(
      '[{"result":{"data":{"json":1}}},{"result":{"data":{"json":{"é":1}}}}]',
    );
    const stream = envelopeOf([done(Readable.from(['[1', ',2]']))], false);
    expect(await text(stream as Readable)).toBe('{"result":{"data":{"json":[1,2]}}}');
  });

  it('is sent in parts where it is long, since putting it together would hold the process', async () => {
    const long = JSON.stringify('x'.repeat(MIB / 2));
    expect(envelopeOf([done(long)], true)).toBeInstanceOf(Buffer);
    const parts = envelopeOf([done(long), done(Buffer.from(long))], true);
    const one = `{"result":{"data":{"json":${long}}}}`;
    expect(await text(parts as Readable)).toBe(`[${one},${one}]`);
  });

  it('passes on the failure of what it is made of', async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error('cut off'));
      },
    });
    await expect(text(envelopeOf([done(broken)], false) as Readable)).rejects.toThrow('cut off');
  });
});

describe('statusOf', () => {
  it.each<[readonly Outcome[], number]>([
    [[done('1')], 200],
    [[failed('NOT_FOUND')], 404],
    [[failed('NOT_FOUND'), failed('NOT_FOUND')], 404],
    [[done('1'), failed('NOT_FOUND')], 207],
    [[failed('FORBIDDEN'), failed('NOT_FOUND')], 207],
  ])('of %j is %i', (outcomes, status) => {
    expect(statusOf(outcomes)).toBe(status);
  });
});
