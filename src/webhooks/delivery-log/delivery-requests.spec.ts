import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { ServiceError } from '../../errors/service-error.js';
import { writeCursor } from './delivery-cursor.js';
import { parseDeliveriesRequest, parseReplayRequest } from './delivery-requests.js';

function issuesOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) return error.issues.map(({ message }) => message);
    throw error;
  }
}

describe('parseDeliveriesRequest', () => {
  const cursor = { createdAtMicros: '1767323045000001', id: aUuid(7) };

  it('reads which deliveries are asked for', () => {
    expect(parseDeliveriesRequest({})).toEqual({ status: undefined, limit: 100, after: undefined });
    expect(parseDeliveriesRequest({ status: 'dead', limit: '7', cursor: writeCursor(cursor) })).toEqual({
      status: 'dead',
      limit: 7,
      after: cursor,
    });
  });

  it('names every fault', () => {
    const query = { status: 'lost', limit: '0', cursor: 'mine', page: '2' };
    expect(issuesOf(() => parseDeliveriesRequest(query))).toEqual([
      'page: is not a known key; allowed: status, limit, cursor',
      'status: must be one of "pending", "delivered", "dead", "dropped"',
      'limit: must be a whole number from 1 to 1000',
      'cursor: must be one that an answer gave out',
    ]);
    for (const limit of ['1001', '-1', '1.5', 'x', '', ['1', '2']]) {
      expect(issuesOf(() => parseDeliveriesRequest({ limit }))).toEqual([
        'limit: must be a whole number from 1 to 1000',
      ]);
    }
  });
});

describe('parseReplayRequest', () => {
  const since = '2026-01-02T03:04:05Z';
  const until = '2026-01-03T00:00:00.5Z';

  it('reads the time and the status, which is dead unless another is given', () => {
    const time = { since: '2026-01-02T03:04:05.000Z', until: '2026-01-03T00:00:00.500Z' };
    expect(parseReplayRequest({ since, until })).toEqual({ ...time, status: 'dead' });
    expect(parseReplayRequest({ since, until, status: 'delivered' })).toEqual({ ...time, status: 'delivered' });
  });

  it.each([
    [undefined, ['body: is required', 'since: is required', 'until: is required']],
    [[], ['body: must be an object', 'since: is required', 'until: is required']],
    [{ since: '2026-01-02', until: 5 }, [/^since: must be a date-time/, /^until: must be a date-time/]],
    [{ since: until, until: since }, ['until: must not be before `since`']],
    [{ since, until, status: 'all', x: 1 }, [/^x: is not a known key/, /^status: must be one of/]],
  ])('names every fault of %j', (body, issues) => {
    expect(issuesOf(() => parseReplayRequest(body))).toEqual(
      issues.map((issue) => (typeof issue === 'string' ? issue : (expect.stringMatching(issue) as string))),
    );
  });
});
