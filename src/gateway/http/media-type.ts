/** A parsed `Content-Type`: lower-case type and parameters. RFC 9110 8.3.1. */
export interface MediaType {
  readonly type: string;
  readonly charset: string | undefined;
}

/** The `Content-Type` of nearly all bodies, which need not be parsed. */
export const PLAIN_JSON = 'application/json';

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const CHARSET = /^charset=(?:"([^"\\]*)"|([^"\s]+))$/i;

/** What stands between semicolons, but for those in quotes. A quotation without an end is over with the header. */
const PARTS = /(?:[^;"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;

/** The media type in a header; undefined if it is not one. */
export function parseMediaType(header: string): MediaType | undefined {
  if (header.startsWith(';')) return undefined;
  const [essence = '', ...parameters] = (header.match(PARTS) ?? []).map((part) => part.trim());
  const [type = '', subtype = '', ...rest] = essence.split('/');
  if (rest.length > 0 || !TOKEN.test(type) || !TOKEN.test(subtype)) return undefined;
  const charset = parameters.map((parameter) => CHARSET.exec(parameter)).find((match) => match !== null);
  return { type: essence.toLowerCase(), charset: (charset?.[1] ?? charset?.[2])?.toLowerCase() };
}
