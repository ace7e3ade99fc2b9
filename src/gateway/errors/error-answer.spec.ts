import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';

import { DatabaseServerError } from '../../platform/database/connection/database-server.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { toErrorAnswer } from './error-answer.js';

const withCode = (code: string, message = 'secret detail'): Error => Object.assign(new Error(message), { code });
const fastifyError = (code: string, statusCode: number): Error => Object.assign(withCode(code), { statusCode });
const internal = {
  status: 500,
  headers: {},
  body: { message: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' },
};
const unavailable = {
  status: 503,
  headers: { 'retry-after': '1' },
  body: { message: 'Service is not available', code: 'SERVICE_UNAVAILABLE' },
};

describe('toErrorAnswer', () => {
  it('answers a service error with its message, code, issues and headers', () => {
    const error = new ServiceError('BAD_REQUEST', 'Invalid input data', {
      issues: [{ message: 'limit: must be a whole number' }],
      headers: { 'retry-after': '5' },
      cause: new Error('secret'),
    });
    expect(toErrorAnswer(error)).toEqual({
      status: 400,
      headers: { 'retry-after': '5' },
      body: {
        message: 'Invalid input data',
        code: 'BAD_REQUEST',
        issues: [{ message: 'limit: must be a whole number' }],
      },
    });
  });

  it('leaves issues out when there are none', () => {
    expect(toErrorAnswer(new ServiceError('NOT_FOUND', 'No such client')).body).toEqual({
      message: 'No such client',
      code: 'NOT_FOUND',
    });
  });

  it.each([
    ['an error', new Error('secret detail')],
    ['no error at all', 'secret detail'],
    ['undefined', undefined],
    ['a service error of code 500', new ServiceError('INTERNAL_SERVER_ERROR', 'secret detail')],
    ['an SQL error', new QueryFailedError('select secret', [], withCode('42P01'))],
    ['a library’s 5xx', fastifyError('FST_ERR_X', 500)],
    ['a status out of range', new HttpException('secret detail', 302)],
  ])('says nothing of the cause of %s', (_, error) => {
    expect(toErrorAnswer(error)).toEqual(internal);
  });

  it.each([
    ['a statement over its time limit', withCode('57014')],
    ['the same through TypeORM', new QueryFailedError('select 1', [], withCode('57014'))],
    ['as the cause of another error', new Error('failed', { cause: withCode('53300') })],
    ['a server that shuts down', withCode('57P01')],
    ['a deadlock', withCode('40P01')],
    ['a server that cannot be reached', withCode('ECONNREFUSED')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    ['a server that does not take connections', new Error('timeout expired')],
    ['a server that is no primary', new DatabaseServerError('secret detail')],
  ])('asks to come back for %s', (_, error) => {
    expect(toErrorAnswer(error)).toEqual(unavailable);
  });

  it.each([
    [400, 'BAD_REQUEST', new BadRequestException('x')],
    [400, 'BAD_REQUEST', new HttpException('x', 431)],
    [404, 'NOT_FOUND', new NotFoundException('Cannot GET /~records/x')],
    [404, 'NOT_FOUND', fastifyError('FST_ERR_BAD_URL', 400)],
    [404, 'NOT_FOUND', new HttpException('x', 414, { cause: fastifyError('FST_ERR_MAX_PARAM_LENGTH', 414) })],
    [413, 'PAYLOAD_TOO_LARGE', fastifyError('FST_ERR_CTP_BODY_TOO_LARGE', 413)],
    [415, 'UNSUPPORTED_MEDIA_TYPE', fastifyError('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415)],
  ])('answers %i %s for a library’s error', (status, code, error) => {
    const { status: told, body } = toErrorAnswer(error);
    expect({ status: told, code: body.code, keys: Object.keys(body) }).toEqual({
      status,
      code,
      keys: ['message', 'code'],
    });
  });

  it('ends with a chain of causes that runs in a circle', () => {
    const error = new Error('a');
    error.cause = error;
    expect(toErrorAnswer(error)).toEqual(internal);
  });
});
