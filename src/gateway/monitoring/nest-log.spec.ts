import { createLog, NestLog, requestContexts } from './create-log.js';

function logged(work: (log: NestLog) => void): unknown[] {
  const lines: string[] = [];
  work(new NestLog(createLog('info', { write: (line) => void lines.push(line) })));
  return lines.map((line) => {
    const { time, ...rest } = JSON.parse(line) as Record<string, unknown>;
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    return rest;
  });
}

describe('NestLog', () => {
  it('writes level, message and context', () => {
    expect(
      logged((log) => {
        log.warn('careful', 'SigningKeys');
      }),
    ).toEqual([{ level: 'warn', context: 'SigningKeys', msg: 'careful' }]);
  });

  it('writes an error wherever it stands, with its causes, without what a driver adds', () => {
    const error = new Error('outer', {
      cause: Object.assign(new Error('inner'), { code: '23505', detail: 'Key (name)=(Musonda) exists' }),
    });
    expect(
      logged((log) => {
        log.error(error, 'ErrorFilter');
        log.error('request failed', error, 'ErrorFilter');
      }),
    ).toEqual(
      ['outer', 'request failed'].map((msg) => ({
        level: 'error',
        context: 'ErrorFilter',
        msg,
        err: {
          type: 'Error',
          message: 'outer',
          stack: expect.stringContaining('outer') as string,
          cause: {
            type: 'Error',
            message: 'inner',
            code: '23505',
            stack: expect.stringContaining('inner') as string,
          },
        },
      })),
    );
  });

  it('writes the fields of an object', () => {
    expect(
      logged((log) => {
        log.log({ scope: 'x', msg: 'a scope that grants nothing' }, 'Access');
      }),
    ).toEqual([{ level: 'info', context: 'Access', scope: 'x', msg: 'a scope that grants nothing' }]);
  });

  it('keeps the start of the framework out of the log', () => {
    expect(
      logged((log) => {
        log.log('Mapped', 'RouterExplorer');
      }),
    ).toEqual([]);
  });

  it('names the request that a line belongs to, however late it is written', async () => {
    const lines: string[] = [];
    const log = new NestLog(createLog('info', { write: (line) => void lines.push(line) }));
    await requestContexts.run({ correlationId: 'c-1' }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      log.log('within', 'X');
    });
    log.log('after', 'X');
    expect(lines.map((line) => (JSON.parse(line) as { correlationId?: string }).correlationId)).toEqual([
      'c-1',
      undefined,
    ]);
  });
});
