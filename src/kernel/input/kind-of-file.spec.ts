import { gzipSync } from 'node:zlib';

import { otherThanJson, otherThanNdjson } from './ndjson-lines.js';

const RECORD = '{"id":"1","name":"a, b; c"}';
const wordsOf = (kind: string | undefined): string | undefined => kind?.split(':', 1)[0];

it.each<[string | Buffer, string, boolean]>([
  [`[\n${RECORD},\n${RECORD}\n]\n`, 'is a JSON array', true],
  [`\ufeff\r\n [${RECORD}]`, 'is a JSON array', true],
  [Buffer.from(`\ufeff${RECORD}`, 'utf16le'), 'is UTF-16', false],
  [Buffer.from(RECORD, 'utf16le'), 'is UTF-16', false],
  [Buffer.from(`\ufeff${RECORD}`, 'utf16le').swap16(), 'is UTF-16', false],
  [gzipSync(RECORD), 'is compressed by gzip', false],
  ['PK\u0003\u0004\u0014', 'is a ZIP archive or a workbook', false],
  ['id,type,status\n1,birth,DECLARED\n', 'is CSV', false],
  ['"id";"type"\r\n', 'is CSV', false],
  ['id\ttype', 'is CSV', false],
  ['<?xml version="1.0"?>', 'is XML or HTML', false],
  [`{\n  "id": "1"\n}\n`, 'is a JSON object over several lines', true],
])('a file that begins with %j %s', (begins, kind, isJson) => {
  const head = Buffer.from(begins as string);
  expect([otherThanNdjson(head), otherThanJson(head)].map(wordsOf)).toEqual([kind, isJson ? undefined : kind]);
});

it.each(['', RECORD, `\ufeff${RECORD}\n`, `\n\n  ${RECORD}`, '{"id": "cut', 'nonsense\n{"a":1}', '1'])(
  'a file that begins with %j may be NDJSON',
  (begins) => {
    expect(otherThanNdjson(Buffer.from(begins))).toBeUndefined();
  },
);
