import { NDJSON_TYPES } from '../../../platform/openapi/accepts.js';

const JSON_TYPE = 'application/json';

// What stands between commas, and between semicolons, but for those in quotes. A quotation without an end is over with
// the header.
const RANGES = /(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;
const PARTS = /(?:[^;"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;

/**
 * Whether a client asks for NDJSON (S-15): its `Accept` names it by any of its types, and does not rate JSON equally. With any other
 * `Accept` a client gets JSON: G-4 has no code for 406, and RFC 9110 12.5.1 lets a server answer with what it has.
 */
export function acceptsNdjson(accept = ''): boolean {
  // Of most searches there are no preferences to be read.
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
