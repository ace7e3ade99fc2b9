import { isUtf8 } from 'node:buffer';
import { open, readFile, stat } from 'node:fs/promises';

import { messageOf } from '../kernel/errors/service-error.js';
import { KIND_BYTES, otherThanJson } from '../kernel/input/ndjson-lines.js';
import { repeatedKey } from '../kernel/input/json.js';

/** In bytes. Throws for missing and unreadable files, and directories. */
export async function inputSize(path: string): Promise<number> {
  const found = await stat(path);
  if (found.isDirectory()) throw new Error(`${path}: it is a directory`);
  // A pipe can be opened once only.
  if (found.isFile()) await (await open(path)).close();
  return found.size;
}

/**
 * Throws with the name of an unreadable file, for other than UTF-8 JSON, and for duplicate keys, which would lose data
 * (S-2).
 */
export async function readJsonFile(path: string): Promise<unknown> {
  await inputSize(path);
  const bytes = await readFile(path);
  const kind = otherThanJson(bytes.subarray(0, KIND_BYTES));
  if (kind !== undefined) throw new Error(`${path}: ${kind}`);
  if (!isUtf8(bytes)) throw new Error(`${path}: must be UTF-8`);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const value = parsed(text, path);
  const repeated = repeatedKey(text);
  if (repeated !== undefined) throw new Error(`${path}: ${repeated} is given twice`);
  return value;
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${messageOf(error)}`, { cause: error });
  }
}
