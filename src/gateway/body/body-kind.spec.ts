import { ServiceError } from '../../kernel/errors/service-error.js';
import { bodyKindOf, hasBody } from './body.guard.js';

const EVERY = { kinds: ['json', 'form', 'ndjson-stream', 'multipart-stream'], limit: 'BODY_LIMIT_BYTES' } as const;
const JSON_ONLY = { kinds: ['json'], limit: 'BODY_LIMIT_BYTES' } as const;
const STREAM_ONLY = { kinds: ['ndjson-stream'], limit: 'IMPORT_LIMIT_BYTES' } as const;

describe('bodyKindOf', () => {
  it.each([
    ['application/json', 'json'],
    ['Application/JSON; Charset=UTF-8', 'json'],
    ['application/json;charset="utf-8"', 'json'],
    ['application/json; charset=latin1', 'json'],
    ['application/json; charset=utf-16', 'json'],
    ['application/x-www-form-urlencoded; charset=ISO-8859-1', 'form'],
    ['multipart/form-data; charset=US-ASCII; boundary=x', 'multipart-stream'],
    ['application/x-ndjson; charset=windows-1252', 'ndjson-stream'],
    ['application/json; boundary=x', 'json'],
    ['application/json; note="a; b', 'json'],
    ['application/x-www-form-urlencoded', 'form'],
    ['application/x-ndjson', 'ndjson-stream'],
    ['application/ndjson', 'ndjson-stream'],
    ['application/jsonl', 'ndjson-stream'],
    ['multipart/form-data; boundary=x', 'multipart-stream'],
  ])('reads %s as %s', (type, kind) => {
    expect(bodyKindOf({ 'content-type': type }, EVERY)).toBe(kind);
  });

  it('reads a body without a type as JSON, or as what the route takes', () => {
    expect([bodyKindOf({}, EVERY), bodyKindOf({ 'content-encoding': 'Identity' }, STREAM_ONLY)]).toEqual([
      'json',
      'ndjson-stream',
    ]);
  });

  it.each([
    '',
    'json',
    'text/plain',
    'application/json/x',
    ';application/json',
    'application/json, text/plain',
    'application/jsonp',
    'application/vnd.api+json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ])('refuses %j where JSON is taken', (type) => {
    expect(() => bodyKindOf({ 'content-type': type }, JSON_ONLY)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        issues: [{ message: 'body: must be application/json, in UTF-8' }],
      }) as Error,
    );
  });

  it.each(['gzip', 'br', 'identity, gzip'])('refuses content coding %s, and says which it takes', (coding) => {
    expect(() => bodyKindOf({ 'content-type': 'application/json', 'content-encoding': coding }, JSON_ONLY)).toThrow(
      new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Media type is not supported', {
        issues: [{ message: 'body: must come without a content coding' }],
        headers: { 'accept-encoding': 'identity' },
      }),
    );
  });
});

describe('hasBody', () => {
  it.each([
    [{}, false],
    [{ 'content-length': '0', 'content-type': 'application/json' }, false],
    [{ 'content-length': '1' }, true],
    [{ 'transfer-encoding': 'chunked' }, true],
  ])('of %j is %s', (headers, expected) => {
    expect(hasBody(headers)).toBe(expected);
  });
});
