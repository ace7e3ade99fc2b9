import { IsArray, IsOptional, IsString, IsUUID, Length, Matches, MaxLength, MinLength } from 'class-validator';
import { faultsOf } from '../../../test/support/faults-of.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { IsInstant, IsText, IsWholeNumber } from './validators.js';
import { MayBeAbsent, Nested, PassedOn } from './members.js';
import { isDto, readDto } from './read-dto.js';

class Hub {
  @IsText()
  topic: string;

  @PassedOn()
  query?: unknown;
}

class Body {
  @IsString()
  @IsUUID()
  client_id: string;

  @IsOptional()
  @IsString()
  name?: string;

  @MayBeAbsent()
  @IsInstant()
  since?: string;

  @MayBeAbsent()
  @IsWholeNumber(1, 1_000)
  limit = 100;

  @MayBeAbsent()
  @Nested(Hub)
  hub?: Hub;
}

const ID = 'b2b6a5d0-6f6c-4f0e-8f57-0c6c7a3b9f11';
const UNKNOWN = 'is not a known key; allowed: client_id, name, since, limit, hub';
const UNKNOWN_OF_HUB = 'is not a known key; allowed: topic, query';

const issuesOf = (value: unknown): Promise<readonly string[]> => faultsOf(readDto(Body, value));

describe('readDto', () => {
  it('yields the body as its class, and the objects in it as theirs', async () => {
    const body = await readDto(Body, { client_id: ID, limit: '7', since: '2026-01-02T03:04Z', hub: { topic: 'x' } });
    expect([body.constructor, body.hub?.constructor]).toEqual([Body, Hub]);
    expect(body).toEqual({ client_id: ID, limit: 7, since: '2026-01-02T03:04:00.000Z', hub: { topic: 'x' } });
    expect(await readDto(Body, { client_id: ID })).toEqual({ client_id: ID, limit: 100 });
  });

  it.each([
    ['{}', ['client_id: is required']],
    ['{"client_id": 5}', ['client_id: must be a UUID']],
    ['{"client_id": null}', ['client_id: must be a UUID']],
    ['{"client_id": {"a": 1}}', ['client_id: must be a UUID']],
    [`{"client_id": ["${ID}"]}`, ['client_id: must be a UUID']],
    [`{"client_id": "${ID}", "scopes": []}`, [`scopes: ${UNKNOWN}`]],
    [`{"client_id": "${ID}", "a.b": 1}`, [`["a.b"]: ${UNKNOWN}`]],
    [
      '{"name": 7, "limit": null}',
      ['client_id: is required', 'name: must be a string', 'limit: must be a whole number from 1 to 1000'],
    ],
    [
      `{"client_id": "${ID}", "since": "2026-01-02"}`,
      ['since: must be a date-time in UTC such as 2026-01-02T03:04:05Z'],
    ],
    [`{"client_id": "${ID}", "hub": [{"topic": 1, "x": 2}]}`, ['hub: must be an object']],
    [`{"client_id": "${ID}", "hub": null}`, ['hub: must be an object']],
    [`{"client_id": "${ID}", "hub": {"y": 1}}`, [`hub.y: ${UNKNOWN_OF_HUB}`, 'hub.topic: is required']],
    [
      `{"client_id": "${ID}", "hub": {"topic": "\\u0000"}}`,
      ['hub.topic: must be text without U+0000 and without unpaired surrogates'],
    ],
    ['{"__proto__": {"admin": true}}', [`__proto__: ${UNKNOWN}`, 'client_id: is required']],
    [`{"client_id": "${ID}", "constructor": 1}`, [`constructor: ${UNKNOWN}`]],
    [`{"client_id": "${ID}", "hub": {"topic": "x", "__proto__": 1}}`, [`hub.__proto__: ${UNKNOWN_OF_HUB}`]],
    ['[]', ['body: must be an object']],
    ['null', ['body: must be an object']],
    ['"text"', ['body: must be an object']],
  ])('names every fault of %s', async (body, issues) => {
    expect(await issuesOf(JSON.parse(body))).toEqual(issues);
  });

  it('says that a body is missing', async () => {
    await expect(readDto(Body, undefined)).rejects.toEqual(
      new ServiceError('BAD_REQUEST', 'Input validation failed', { issues: [{ message: 'body: is required' }] }),
    );
  });

  it.each(['0', '1001', '-1', '1.5', '1e2', '0x10', ' 7', 'x', '', ['1', '2']])(
    'takes no %j for a number',
    async (limit) => {
      expect(await issuesOf({ client_id: ID, limit })).toEqual(['limit: must be a whole number from 1 to 1000']);
    },
  );

  it('passes on what may be anything, and looks at none of it', async () => {
    const query: unknown = JSON.parse('{"clauses": [{"data": {"constructor": 1, "__proto__": {"x": 2}}}]}');
    const { hub } = await readDto(Body, { client_id: ID, hub: { topic: 'x', query } });
    expect(hub?.query).toBe(query);
    expect((await readDto(Body, { client_id: ID, hub: { topic: 'x', query: null } })).hub?.query).toBeNull();
  });

  it('has a member that is passed on checked where the body is refused anyway, so that all faults are told', async () => {
    const seen: unknown[] = [];
    class Checked {
      @IsText()
      name: string;

      @PassedOn(async (value, path, faults) => {
        await Promise.resolve();
        seen.push(value);
        faults.add(path, 'is faulty');
      })
      rest?: unknown;
    }
    expect(await faultsOf(readDto(Checked, { name: 1, rest: 2 }))).toEqual([
      'name: must be a string',
      'rest: is faulty',
    ]);
    expect(await faultsOf(readDto(Checked, { name: 1 }))).toEqual(['name: must be a string']);
    expect(await readDto(Checked, { name: 'a', rest: 3 })).toEqual({ name: 'a', rest: 3 });
    expect(seen).toEqual([2]);
  });

  it('lists a hundred faults, and hands class-transformer no key that is not known', async () => {
    const flood = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`key${at}`, at]));
    const issues = await issuesOf({ ...flood, client_id: ID });
    expect([issues.length, issues.at(-1)]).toEqual([101, 'body: has 99900 more faults than are listed']);
    const list = Array.from({ length: 100_000 }, () => ({ topic: 1 }));
    expect(await issuesOf({ client_id: ID, hub: list })).toEqual(['hub: must be an object']);
    expect(await issuesOf({ client_id: flood, hub: { topic: flood, query: flood } })).toEqual([
      'client_id: must be a UUID',
      'hub.topic: must be a string',
    ]);
  });
});

class Texts {
  @MayBeAbsent()
  @Length(1, 5)
  length?: string;

  @MayBeAbsent()
  @Matches(/^a/, { message: 'must begin with a' })
  @MaxLength(3)
  @MinLength(1, { message: 'Something is required' })
  several?: string;

  @MayBeAbsent()
  @MaxLength(3, { each: true })
  @IsArray()
  items?: string[];
}

describe('a member that must be a text', () => {
  const OF_TYPE = 'must be a string';
  it.each<[object, readonly string[]]>([
    [{ length: 7 }, [`length: ${OF_TYPE}`]],
    [{ length: null }, [`length: ${OF_TYPE}`]],
    [{ length: ['a'] }, [`length: ${OF_TYPE}`]],
    [{ length: { a: 1 } }, [`length: ${OF_TYPE}`]],
    [{ length: '' }, ['length: must be longer than or equal to 1 characters']],
    [{ length: 'abcdef' }, ['length: must be shorter than or equal to 5 characters']],
    [{ several: true }, [`several: ${OF_TYPE}`]],
    [{ several: '' }, ['several: Something is required']],
    [{ items: 'abc' }, ['items: must be an array']],
    [{ items: ['a', 5] }, ['items: each item must be a string']],
    [{ items: ['abcd'] }, ['items: each value in items must be shorter than or equal to 3 characters']],
  ])('says so of one of another type, first of all: %j', async (body, issues) => {
    expect(await faultsOf(readDto(Texts, body))).toEqual(issues);
  });
});

describe('isDto', () => {
  it('is what has members that say what they may be', () => {
    expect([Body, Object, String, class {}, undefined].map(isDto)).toEqual([true, false, false, false, false]);
  });
});
