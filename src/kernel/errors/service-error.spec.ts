import type { ErrorCode } from './service-error.js';
import { ERROR_STATUS, ServiceError } from './service-error.js';

describe('a service error', () => {
  it.each<[ErrorCode, number]>([
    ['BAD_REQUEST', 400],
    ['UNAUTHORIZED', 401],
    ['FORBIDDEN', 403],
    ['NOT_FOUND', 404],
    ['METHOD_NOT_ALLOWED', 405],
    ['CONFLICT', 409],
    ['PAYLOAD_TOO_LARGE', 413],
    ['UNSUPPORTED_MEDIA_TYPE', 415],
    ['UNPROCESSABLE_CONTENT', 422],
    ['TOO_MANY_REQUESTS', 429],
    ['INTERNAL_SERVER_ERROR', 500],
    ['SERVICE_UNAVAILABLE', 503],
  ])('%s is answered with %i', (code, status) => {
    expect(new ServiceError(code, 'why').status).toBe(status);
  });

  it('has one of twelve codes', () => {
    expect(Object.keys(ERROR_STATUS)).toHaveLength(12);
  });

  it('has neither issues, headers nor a cause unless they are given', () => {
    const error = new ServiceError('NOT_FOUND', 'no such record');
    expect(error).toMatchObject({ name: 'ServiceError', message: 'no such record', issues: [], headers: {} });
    expect(error).not.toHaveProperty('cause');
  });

  it('keeps its cause, headers and issues', () => {
    const cause = new Error('the pool is gone');
    const headers = { 'Retry-After': '60' };
    const issues = [{ message: 'limit: must be a whole number' }];
    expect(new ServiceError('TOO_MANY_REQUESTS', 'wait', { cause, headers, issues })).toMatchObject({
      cause,
      headers,
      issues,
    });
  });
});
