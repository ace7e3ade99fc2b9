import { OAuthError, TokenParameters, type TokenRequestParts } from './token-parameters.js';

const ID = '3b6a2c1e-7f41-4a57-9d0c-2f8f1f6f0a11';
const SECRET = '9e1f6a54-0c2b-4a3e-8f57-6f1a2b3c4d5e';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

function read(parts: {
  readonly query?: string;
  readonly form?: string;
  readonly json?: unknown;
  readonly authorization?: string | readonly string[];
}): TokenParameters {
  const { query = '', form, json, authorization = [] } = parts;
  const body = form === undefined ? json : new URLSearchParams(form);
  const authorizations = [authorization].flat();
  return new TokenParameters({ query: new URLSearchParams(query), body, authorizations } satisfies TokenRequestParts);
}

const all = (parameters: TokenParameters): unknown => ({
  grant_type: parameters.one('grant_type'),
  client_id: parameters.one('client_id'),
  client_secret: parameters.one('client_secret'),
});

const COMPLETE = { grant_type: 'client_credentials', client_id: ID, client_secret: SECRET };
const ENCODED = new URLSearchParams(COMPLETE).toString();

describe('TokenParameters', () => {
  it.each([
    ['a form', read({ form: ENCODED })],
    ['a JSON body', read({ json: COMPLETE })],
    ['the URL', read({ query: ENCODED })],
    ['the URL and a JSON body with the same values', read({ query: ENCODED, json: COMPLETE })],
    ['the URL and an empty JSON object', read({ query: ENCODED, json: {} })],
    ['the URL and a body that is null', read({ query: ENCODED, json: null })],
    ['the URL and a body that is an empty text', read({ query: ENCODED, json: '' })],
    ['a form and HTTP Basic', read({ form: 'grant_type=client_credentials', authorization: basic(`${ID}:${SECRET}`) })],
    ['a form and HTTP Basic with the same values', read({ form: ENCODED, authorization: basic(`${ID}:${SECRET}`) })],
    ['a form with the id, and HTTP Basic', read({ form: `${ENCODED}&client_secret=`, authorization: basic(`${ID}:`) })],
    ['a form beside a bearer token', read({ form: ENCODED, authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.AAAA' })],
    [
      'HTTP Basic after a bearer token',
      read({ form: 'grant_type=client_credentials', authorization: ['Bearer x', basic(`${ID}:${SECRET}`)] }),
    ],
    ['a form beside some other scheme', read({ form: ENCODED, authorization: 'Digest username="x"' })],
    ['a URL with an empty value before the real one', read({ query: `grant_type=&${ENCODED}` })],
    ['a form with parameters of other grants', read({ form: `${ENCODED}&scope=a&scope=b&audience=x` })],
  ])('reads %s', (_, parameters) => {
    expect(all(parameters)).toEqual(COMPLETE);
  });

  it('decodes the parts of HTTP Basic as forms do', () => {
    const parameters = read({ authorization: basic('a%3Ab+c:d%25%C3%A9:e') });
    expect(parameters.one('client_id')).toBe('a:b c');
    expect(parameters.one('client_secret')).toBe('d%é:e');
    expect(parameters.usesBasic).toBe(true);
  });

  it.each([
    ['a%3Ab:c', { id: 'a:b', secret: 'c', written: undefined }],
    ['a:c+d', { id: 'a', secret: 'c d', written: 'c+d' }],
    ['a:%63', { id: 'a', secret: 'c', written: '%63' }],
    ['a%2:100%', { id: 'a%2', secret: '100%', written: undefined }],
    ['a%FF:%FF', { id: 'a%FF', secret: '%FF', written: undefined }],
  ])('reads %s of HTTP Basic as a form, and its secret also as it was written', (text, expected) => {
    const parameters = read({ authorization: basic(text) });
    expect({
      id: parameters.one('client_id'),
      secret: parameters.one('client_secret'),
      written: parameters.writtenSecret,
    }).toEqual(expected);
  });

  it('takes the scheme in any letter case', () => {
    expect(read({ authorization: basic(`${ID}:${SECRET}`).replace('Basic', 'bAsIC') }).one('client_id')).toBe(ID);
  });

  it.each([
    ['nothing at all', read({})],
    ['empty values', read({ query: 'grant_type=&client_id=&client_secret=', form: 'client_id=' })],
    ['empty values in JSON', read({ json: { grant_type: '', client_id: '', client_secret: '' } })],
    ['null in JSON', read({ json: { grant_type: null, client_id: null, client_secret: null } })],
    ['empty Basic credentials', read({ authorization: basic(':') })],
    ['members of the prototype', read({ json: JSON.parse('{"__proto__":{"client_id":"x"}}') as unknown })],
  ])('finds every parameter absent in %s', (_, parameters) => {
    expect(all(parameters)).toEqual({ grant_type: undefined, client_id: undefined, client_secret: undefined });
  });

  it.each([
    ['twice in a form', read({ form: 'client_id=a&client_id=b' }), 'client_id is given more than once'],
    ['twice in a form, the same', read({ form: 'client_id=a&client_id=a' }), 'client_id is given more than once'],
    ['twice in the URL', read({ query: 'client_id=a&client_id=a' }), 'client_id is given more than once'],
    [
      'differently in URL and body',
      read({ query: 'client_id=a', json: { client_id: 'b' } }),
      'client_id is given with different values',
    ],
    [
      'differently in HTTP Basic and body',
      read({ form: 'client_id=a', authorization: basic('b:c') }),
      'client_id is given with different values',
    ],
    ['twice in HTTP Basic', read({ authorization: [basic('a:b'), basic('c:d')] }), 'client_id is given more than once'],
    ['as a number', read({ json: { client_id: 1 } }), 'client_id must be a string'],
    ['as a list', read({ json: { client_id: ['a'] } }), 'client_id must be a string'],
    ['in a list', read({ json: [{ client_id: 'a' }] }), 'the body must be a form or a JSON object'],
    ['in a text', read({ json: 'client_id=a' }), 'the body must be a form or a JSON object'],
  ])('refuses a parameter that is given %s', (_, parameters, description) => {
    expect(parameters.one('client_id')).toEqual(new OAuthError('invalid_request', description));
  });

  it.each([
    ['nothing', 'Basic'],
    ['no base64', 'Basic a:b'],
    ['no colon', basic('abc')],
  ])('refuses HTTP Basic that holds %s', (_, authorization) => {
    const parameters = read({ authorization, form: ENCODED });
    const refusal = new OAuthError(
      'invalid_request',
      'the Authorization header does not hold Basic credentials that can be read',
    );
    expect(all(parameters)).toEqual({
      grant_type: 'client_credentials',
      client_id: refusal,
      client_secret: refusal,
    });
  });

  it('names what stands in the URL, and only that', () => {
    expect(read({ query: 'client_secret=s&grant_type=g&client_id=&x=y', form: ENCODED }).inQuery).toEqual([
      'grant_type',
      'client_secret',
    ]);
    expect(read({ form: ENCODED }).inQuery).toEqual([]);
  });
});
