/** `host:port/database`, never the password. */
export function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? (host === '' ? 'localhost' : host)}${pathname}`;
}
