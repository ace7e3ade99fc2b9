import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { MIB } from '../../kernel/domain/bytes.js';
import { ERROR_STATUS, type ErrorCode } from '../../kernel/errors/service-error.js';
import { envelopeOf, type Outcome, statusOf, type Text } from './envelope.js';

const done = (json: Text): Outcome => ({ kind: 'done', json });
const failed = (code: ErrorCode): Outcome => ({
  kind: 'failed',
  path: 'event.search',
  code,
  message: 'no',
  issues: [],
});

const broken: unknown[] = [];
const taker = { signal: new AbortController().signal, onBroken: (error: unknown) => broken.push(error) };

const envelope = (outcomes: readonly Outcome[], isBatch: boolean): Promise<Buffer | Readable> =>
  envelopeOf(outcomes, isBatch, taker);

async function whole(outcomes: readonly Outcome[], isBatch: boolean): Promise<string> {
  const made = await envelope(outcomes, isBatch);
  if (made instanceof Readable) throw new Error('it is a stream');
  return made.toString();
}

async function streamed(outcomes: readonly Outcome[], isBatch: boolean): Promise<string> {
  const made = await envelope(outcomes, isBatch);
  if (!(made instanceof Readable)) throw new Error('it is no stream');
  return text(made);
}

describe('envelopeOf', () => {
  it('has the codes of tRPC for each of ours', async () => {
    for (const code of Object.keys(ERROR_STATUS) as ErrorCode[]) {
      const { error } = JSON.parse(await whole([failed(code)], false)) as {
        error: { json: { message: string; code: number; data: { code: keyof typeof TRPC_ERROR_CODES_BY_KEY } } };
      };
      const name = error.json.data.code;
      expect([code, error.json.code]).toEqual([code, TRPC_ERROR_CODES_BY_KEY[name]]);
      expect(error.json.data).toEqual({ code: name, httpStatus: ERROR_STATUS[code], path: 'event.search' });
    }
  });

  it('puts one answer alone and several into a list, whatever they are made of', async () => {
    expect(await whole([done('{"a":1}')], false)).toBe('{"result":{"data":{"json":{"a":1}}}}');
    expect(await whole([done('null')], true)).toBe('[{"result":{"data":{"json":null}}}]');
    expect(await whole([done('1'), done(Buffer.from('{"é":1}'))], true)).toBe(
      '[{"result":{"data":{"json":1}}},{"result":{"data":{"json":{"é":1}}}}]',
    );
    expect(await streamed([done(Readable.from(['[1', ',2]']))], false)).toBe('{"result":{"data":{"json":[1,2]}}}');
  });

  it('is sent in parts where it is long, since putting it together would hold the process', async () => {
    const long = JSON.stringify('x'.repeat(MIB / 2));
    expect(await envelope([done(long)], true)).toBeInstanceOf(Buffer);
    const one = `{"result":{"data":{"json":${long}}}}`;
    expect(await streamed([done(long), done(Buffer.from(long))], true)).toBe(`[${one},${one}]`);
  });

  it('makes no part of an answer before the one before it is taken', async () => {
    const begun: string[] = [];
    async function* list(name: string): AsyncGenerator<string> {
      for (const piece of ['[', '1', ']']) {
        begun.push(`${name}${piece}`);
        await Promise.resolve();
        yield piece.padEnd(200_000);
      }
    }
    const outcomes = [done(list('a')), done('2'), done(list('b'))];
    const made = await envelope(outcomes, true);
    expect(begun).toEqual(['a[']);
    expect((await text(made as Readable)).replaceAll(' ', '')).toBe(
      '[{"result":{"data":{"json":[1]}}},{"result":{"data":{"json":2}}},{"result":{"data":{"json":[1]}}}]',
    );
    expect(begun).toEqual(['a[', 'a1', 'a]', 'b[', 'b1', 'b]']);
  });

  it('fails where its first part does, and breaks off where a later one does', async () => {
    async function* failing(pieces: readonly string[]): AsyncGenerator<string> {
      for (const piece of pieces) yield await Promise.resolve(piece);
      throw new Error('no room');
    }
    await expect(envelope([done(failing([]))], false)).rejects.toThrow('no room');
    await expect(streamed([done(failing(['[']))], false)).rejects.toThrow('no room');
    expect(broken).toEqual([new Error('no room')]);
  });

  it('passes on the failure of what it is made of', async () => {
    const cutOff = new Readable({
      read() {
        this.destroy(new Error('cut off'));
      },
    });
    await expect(streamed([done(cutOff)], false)).rejects.toThrow('cut off');
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
