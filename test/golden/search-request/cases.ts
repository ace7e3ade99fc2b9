import { readdirSync, readFileSync } from 'node:fs';

/** One body, and what the parser makes of it: the request, or the messages of its issues. */
export interface Case {
  readonly name: string;
  readonly request: unknown;
  readonly parsed?: unknown;
  readonly issues?: readonly string[];
}

/** Every case of this folder, by file name. */
export function readCases(): readonly Case[] {
  const folder = new URL('.', import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      ...(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Omit<Case, 'name'>),
      name: file.replace('.json', '').replaceAll('-', ' '),
    }));
}
