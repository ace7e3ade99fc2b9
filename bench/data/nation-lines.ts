import { nationalRecord } from './national-record.js';
import type { Nation } from './nation.js';

const LINES_AT_A_TIME = 200;

/** The first `count` records of the nation as import lines, some hundred at a time. */
export function* nationLines(nation: Nation, count: number, untilMs: number): Generator<string> {
  let lines = '';
  for (let index = 0; index < count; index++) {
    lines += `${JSON.stringify(nationalRecord(nation, index, untilMs))}\n`;
    if ((index + 1) % LINES_AT_A_TIME > 0) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}
