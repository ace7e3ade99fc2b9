import { parseImportLine } from './parse-import-line.js';

const MOST = 20_000;

/** As many values as fit into so short a line. */
const aListOf = (values: number): string => `[${'1,'.repeat(values - 1)}1]`;

describe('a line of an import', () => {
  it('is rejected for too many values, however short they are', () => {
    expect(parseImportLine({ text: aListOf(MOST + 1), fault: undefined })).toEqual({
      kind: 'rejected',
      id: undefined,
      issues: [{ message: `body: has more than ${MOST} values` }],
    });
  });

  it('may have as many as are allowed', () => {
    const line = parseImportLine({ text: aListOf(MOST), fault: undefined });
    expect(JSON.stringify(line)).not.toContain('values');
  });
});
