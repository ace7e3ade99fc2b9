/** The closing quote of the JSON string that begins at `start`; the end of the text if there is none. */
export function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}
