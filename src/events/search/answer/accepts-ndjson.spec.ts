import { acceptsNdjson } from './streamed-body.js';

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/*', false],
  ['application/json', false],
  ['text/html', false],
  ['application/x-ndjson', true],
  ['Application/X-NDJSON', true],
  ['application/ndjson', true],
  ['application/jsonl', true],
  ['application/jsonl;q=0.1, application/x-ndjson;q=0.9, application/json;q=0.5', true],
  ['application/jsonl, application/json', false],
  ['application/x-ndjson, */*', true],
  ['application/x-ndjson, application/json;q=0.9', true],
  ['application/json;q=0.5,application/x-ndjson ; q=0.6', true],
  ['application/json, application/x-ndjson', false],
  ['application/x-ndjson;q=0.9, application/json', false],
  ['application/x-ndjson;q=0', false],
  ['application/x-ndjson;q=much', false],
  ['text/plain;profile="a, application/x-ndjson, b"', false],
  ['application/json;profile="a,b;\\",c";q=0.1, application/x-ndjson;q=0.2', true],
  ['application/x-ndjson;profile=";q=0"', true],
  ['application/x-ndjson;profile="a,application/json', true],
  [',, application/x-ndjson;;q=1,', true],
])('Accept: %s asks for NDJSON: %s', (accept, asks) => {
  expect(acceptsNdjson(accept)).toBe(asks);
});
