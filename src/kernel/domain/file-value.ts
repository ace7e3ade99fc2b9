/** A declaration value that names a file (interface, Declaration values); only its required members. */
export interface FileValue {
  readonly path: string;
  readonly originalFilename?: unknown;
  readonly type?: unknown;
  /** The kind of document, in a list of files. */
  readonly option?: unknown;
}

/**
 * A path and a name or type identify a file; more members are allowed, so that a form's additions keep it. A path alone
 * does not suffice.
 */
export function isFileValue(value: unknown): value is FileValue {
  if (typeof value !== 'object' || value === null) return false;
  const { path, originalFilename, type } = value as Readonly<Record<string, unknown>>;
  return typeof path === 'string' && (typeof originalFilename === 'string' || typeof type === 'string');
}
