export type Cells = readonly (string | number)[];

const NUMERIC = /^[-–\d][-–\d.,/ ()%→sMk]*$/;

/** A table of Markdown; numbers stand on the right. */
export function table(header: readonly string[], rows: readonly Cells[]): string {
  const isNumeric = (column: number): boolean =>
    rows.length > 0 && rows.every((cells) => NUMERIC.test(String(cells[column] ?? '–')));
  const line = (cells: Cells): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map((_, column) => (isNumeric(column) ? '---:' : '---'))), ...rows.map(line)].join(
    '\n',
  );
}

export const ms = (value: number | undefined): string =>
  value === undefined ? '–' : value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2);
export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const percent = (share: number): string => `${Math.round(100 * share)} %`;
