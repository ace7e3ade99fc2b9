import { NDJSON_TYPES } from '../../../platform/openapi/accepts.js';

const JSON_TYPE = 'application/json';

// Text between commas or semicolons outside quotes; an open quotation ends with the header.
const RANGES = /(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;
const PARTS = /(?:[^;"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;

/**
 * Whether `Accept` names NDJSON and does not rate JSON equally (S-15). Any other `Accept` gets JSON: G-4 has no code
 * for 406, and RFC 9110 12.5.1 permits that.
 */
export function acceptsNdjson(accept = ''): boolean {
  if (!/ndjson|jsonl/i.test(accept)) return false;
  const qualities = new Map((accept.match(RANGES) ?? []).map(qualityOf));
  const ofNdjson = NDJSON_TYPES.map((type) => qualities.get(type) ?? 0);
  return Math.max(...ofNdjson) > (qualities.get(JSON_TYPE) ?? 0);
}

function qualityOf(range: string): readonly [type: string, quality: number] {
  const [type = '', ...parameters] = (range.match(PARTS) ?? []).map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}
