/** At most; fewer where the first line is shorter. */
export const KIND_BYTES = 1_024;

const KINDS = {
  gzip: 'is compressed by gzip: unpack it first (gunzip)',
  zip: 'is a ZIP archive or a workbook: write what it holds as JSON in UTF-8',
  utf16: 'is UTF-16: write it in UTF-8 first (iconv -f UTF-16 -t UTF-8)',
  xml: 'is XML or HTML: write it as JSON in UTF-8',
  csv: 'is CSV: write each row as a JSON object',
  array: 'is a JSON array: write an item a line, without the brackets and the commas between them (jq -c ".[]")',
  object: 'is a JSON object over several lines: write it in one line (jq -c .)',
} as const;

/** By first bytes; undefined where it may be NDJSON. */
export function otherThanNdjson(head: Buffer): string | undefined {
  const kind = kindOf(head);
  return kind && KINDS[kind];
}

/** As `otherThanNdjson`, for one JSON value. */
export function otherThanJson(head: Buffer): string | undefined {
  const kind = kindOf(head);
  return kind === undefined || kind === 'array' || kind === 'object' ? undefined : KINDS[kind];
}

function kindOf(head: Buffer): keyof typeof KINDS | undefined {
  const [first, second] = head;
  if (first === 0x1f && second === 0x8b) return 'gzip';
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return 'zip';
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked || first === 0 || second === 0) return 'utf16';
  const line = firstLine(head).trimEnd();
  if (line.startsWith('[')) return 'array';
  if (line.startsWith('<')) return 'xml';
  if (line === '{') return 'object';
  return /^[^{].*[,;\t]/.test(line) ? 'csv' : undefined;
}

/** A byte order mark counts as white space. */
const firstLine = (head: Buffer): string => head.toString('utf8', 0, KIND_BYTES).trimStart().split('\n', 1)[0] ?? '';

export const hasFirstLine = (head: Buffer): boolean => head.toString('latin1').trimStart().includes('\n');
