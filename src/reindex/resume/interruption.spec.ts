import { ServiceError } from '../../errors/service-error.js';
import { isInterruption } from './interruption.js';

const withCode = (code: string): Error => Object.assign(new Error('said so'), { code });

describe('a reindex that fails', () => {
  it.each([
    ['the server shut down', withCode('57P01'), true],
    ['the connection failed', withCode('08006'), true],
    ['the connection was reset', withCode('ECONNRESET'), true],
    ['the server is a standby now', withCode('25006'), true],
    ['the driver lost it', new Error('Connection terminated unexpectedly'), true],
    ['it was chosen to end a deadlock', withCode('40P01'), true],
    ['a lock was not free in time', withCode('55P03'), true],
    ['others have all connections', withCode('53300'), true],
    ['the disk is full', withCode('53100'), false],
    ['a value is taken', withCode('23505'), false],
    ['an event cannot be read', new Error('event 1: a stored action cannot be read'), false],
    ['it was refused', new ServiceError('CONFLICT', 'The schema was changed during the reindex: run it again.'), false],
  ])('as %s: %#', (_, error, keeps) => {
    expect(isInterruption(error)).toBe(keeps);
  });
});
