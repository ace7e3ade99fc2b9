const DIGIT = /\p{Nd}/u;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

export const asciiDigits = (text: string): string =>
  text.replace(OTHER_DIGITS, (digit) => String(valueOf(digit.codePointAt(0) ?? 0)));

/** Unicode has the ten digits of a script in a row, in order. */
function valueOf(codePoint: number): number {
  let first = codePoint;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return (codePoint - first) % 10;
}
