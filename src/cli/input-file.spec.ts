import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { failureMessage } from './failure-message.js';
import { inputSize, readJsonFile } from './input-file.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'matricula-input-'));
  await chmod(directory, 0o755);
});
afterAll(() => rm(directory, { recursive: true }));

const NOBODY = 65_534;

/** Does `work` as somebody who may not read every file. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('an input file', () => {
  it('has its size', async () => {
    const path = join(directory, 'readable');
    await writeFile(path, 'ten bytes\n');
    expect(await inputSize(path)).toBe(10);
  });

  it('that may not be read is refused before anything is done with it', async () => {
    const path = join(directory, 'unreadable');
    await writeFile(path, 'secret');
    await chmod(path, 0o000);
    const refused = await asNobody(() => inputSize(path).then(String, failureMessage));
    expect(refused).toBe(`${path}: permission is denied`);
  });

  it.each([
    ['{"query": {"clauses": []}}', { query: { clauses: [] } }],
    ['\ufeff[1]', [1]],
    ['{"query": {"clauses": [{"id": "a", "id": "b"}]}}', 'PATH: query.clauses[0].id is given twice'],
    ['{', expect.stringContaining('PATH is not JSON: ')],
    [Buffer.from('{"name": "País"}', 'latin1'), 'PATH: must be UTF-8'],
    [Buffer.from('\ufeff{}', 'utf16le'), 'PATH: is UTF-16: write it in UTF-8 first (iconv -f UTF-16 -t UTF-8)'],
    ['id,name\n1,Ibombo\n', 'PATH: is CSV: write each row as a JSON object'],
  ])('is read as JSON in which no key is given twice: %j', async (text, expected) => {
    const path = join(directory, 'query.json');
    await writeFile(path, text);
    const read = await readJsonFile(path).catch((error: unknown) => failureMessage(error).replace(path, 'PATH'));
    expect(read).toEqual(expected);
  });
});
