import { Type } from 'class-transformer';
import { IsIn, IsOptional, IsString, IsUUID, ValidateNested } from 'class-validator';

import { ServiceError } from '../../errors/service-error.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

class Hub {
  @IsIn(['subscribe'])
  mode: string;
}

class Body {
  @IsString()
  @IsUUID()
  client_id: string;

  @IsOptional()
  @IsString()
  name?: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Hub)
  hubs?: Hub[];
}

const ID = 'b2b6a5d0-6f6c-4f0e-8f57-0c6c7a3b9f11';
const pipe = new RequestValidationPipe();
const transform = (value: unknown): Promise<unknown> => pipe.transform(value, { type: 'body', metatype: Body });

async function issuesOf(body: string): Promise<unknown> {
  try {
    await transform(JSON.parse(body));
  } catch (error) {
    if (error instanceof ServiceError) return error.issues.map(({ message }) => message);
    throw error;
  }
  return 'none';
}

describe('RequestValidationPipe', () => {
  it('yields the body as its class', async () => {
    const body = await transform({ client_id: ID, hubs: [{ mode: 'subscribe' }] });
    expect(body).toBeInstanceOf(Body);
    expect(body).toEqual({ client_id: ID, hubs: [{ mode: 'subscribe' }] });
  });

  it.each([
    ['{}', ['client_id: is required']],
    ['{"client_id": 5}', ['client_id: must be a UUID']],
    ['{"client_id": null}', ['client_id: must be a UUID']],
    [`{"client_id": "${ID}", "scopes": []}`, ['scopes: is not a known key']],
    [`{"client_id": "${ID}", "a.b": 1}`, ['["a.b"]: is not a known key']],
    ['{"name": 7}', ['client_id: is required', 'name: must be a string']],
    [
      `{"client_id": "${ID}", "hubs": [{"mode": "subscribe"}, {"mode": "x", "y": 1}]}`,
      ['hubs[1].y: is not a known key', 'hubs[1].mode: must be one of the following values: subscribe'],
    ],
    [`{"client_id": "${ID}", "__proto__": {"admin": true}}`, ['__proto__: is not a known key']],
    [`{"client_id": "${ID}", "constructor": 1}`, ['constructor: is not a known key']],
    [
      `{"client_id": "${ID}", "hubs": [{"mode": "subscribe", "__proto__": 1}]}`,
      ['hubs[0].__proto__: is not a known key'],
    ],
    ['[]', ['body: must be an object']],
    ['null', ['body: must be an object']],
    ['"text"', ['body: must be an object']],
  ])('names every fault of %s', async (body, issues) => {
    expect(await issuesOf(body)).toEqual(issues);
  });

  it('says that a body is missing', async () => {
    await expect(transform(undefined)).rejects.toEqual(
      new ServiceError('BAD_REQUEST', 'Input validation failed', { issues: [{ message: 'body: is required' }] }),
    );
  });

  it('leaves a body without a class to its route', async () => {
    const body = { anything: [1] };
    expect(await pipe.transform(body, { type: 'body', metatype: Object })).toBe(body);
  });
});
