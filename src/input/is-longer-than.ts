/** Whether the text has more than `most` code points; a long text is not walked to find out. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || Array.from(text).length > most);
