/** A value of a declaration that names a file (interface, Declaration values), as far as it says what it must. */
export interface FileValue {
  readonly path: string;
  readonly originalFilename?: unknown;
  readonly type?: unknown;
  /** What the file shows, in a list of files. */
  readonly option?: unknown;
}

/**
 * Whether the value names a file: a path, and how the file is called or what it is. More members make it no other
 * value: what a form adds to a file must not cost the file. A path alone may be that of anything.
 */
export function isFileValue(value: unknown): value is FileValue {
  if (typeof value !== 'object' || value === null) return false;
  const { path, originalFilename, type } = value as Readonly<Record<string, unknown>>;
  return typeof path === 'string' && (typeof originalFilename === 'string' || typeof type === 'string');
}
