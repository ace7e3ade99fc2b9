import { IsIn } from 'class-validator';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { IsCursor, IsText, IsUuidList, IsWholeNumber } from './validators.js';
import { MayBeAbsent } from './members.js';
import { readQuery } from './read-dto.js';

class Query {
  @MayBeAbsent()
  @IsText()
  name?: string;

  @MayBeAbsent()
  @IsWholeNumber(1, 100)
  limit?: number;

  @MayBeAbsent()
  @IsIn(['dead'])
  status?: string;

  @MayBeAbsent()
  @IsCursor(() => undefined)
  cursor?: object;

  @MayBeAbsent()
  @IsUuidList()
  ids?: readonly string[];
}

const issuesOf = async (query: object): Promise<readonly string[]> => {
  const error: unknown = await readQuery(Query, query).catch((reason: unknown) => reason);
  if (!(error instanceof ServiceError)) throw error;
  expect([error.code, error.message]).toEqual(['BAD_REQUEST', 'Input validation failed']);
  return error.issues.map(({ message }) => message);
};

describe('readQuery', () => {
  it('says of a parameter that it is given more than once, and not that it is none of its kind', async () => {
    const twice = ['dead', 'dead'];
    expect(await issuesOf({ name: twice, limit: ['1', '2'], status: twice, cursor: twice })).toEqual(
      ['name', 'limit', 'status', 'cursor'].map((key) => `${key}: is given more than once`),
    );
  });

  it('says what else is wrong, also of those that may be repeated', async () => {
    expect(await issuesOf({ limit: '0', ids: ['a', 'b'], others: ['a', 'b'] })).toEqual([
      'others: is not a known key; allowed: name, limit, status, cursor, ids',
      'limit: must be a whole number from 1 to 100',
      'ids: must be UUIDs, repeated or with commas between them',
    ]);
  });

  it('reads what is right', async () => {
    const ids = ['3a333333-3333-4333-8333-333333333333', '3a333333-3333-4333-8333-333333333334'];
    expect(await readQuery(Query, { name: 'a', ids })).toMatchObject({ name: 'a', ids });
  });
});
