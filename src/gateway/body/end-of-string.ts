/** Where the JSON string that begins at `start` has its closing quote; the end of the text when it has none. */
export function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}
