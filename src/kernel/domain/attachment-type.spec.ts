import { ATTACHMENT_TYPES, attachmentTypeOf, extensionOf, HEAD_BYTES } from './attachment-type.js';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

const PNG = '\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR';
const WEBP = 'RIFF\u0024\u0000\u0000\u0000WEBPVP8 ';

describe('the type of a file', () => {
  it.each([
    ['\u00ff\u00d8\u00ff\u00e0\u0000\u0010JFIF\u0000', 'image/jpeg'],
    ['\u00ff\u00d8\u00ff\u00e1..Exif', 'image/jpeg'],
    ['\u00ff\u00d8\u00ff\u00db', 'image/jpeg'],
    [PNG, 'image/png'],
    [WEBP, 'image/webp'],
    [WEBP.replace('VP8 ', 'VP8X'), 'image/webp'],
    ['%PDF-1.7\n%\u00e2\u00e3', 'application/pdf'],
    ['%PDF-2.0\n', 'application/pdf'],
    ['\u00ef\u00bb\u00bf%PDF-1.7\n', 'application/pdf'],
    ['\r\n%PDF-1.4\n', 'application/pdf'],
    ['\u001b%-12345X@PJL JOB\r\n%PDF-1.4\n', 'application/pdf'],
    [`${'\u0000'.repeat(1_019)}%PDF-1.4`, 'application/pdf'],
    [`${PNG}%PDF-1.4`, 'image/png'],
  ])('%j is %s', (head, type) => {
    expect(attachmentTypeOf(bytes(head))).toBe(type);
  });

  it.each([
    ['nothing', ''],
    ['half a signature', PNG.slice(0, 12)],
    ['text', 'name,surname\n'],
    ['a GIF', 'GIF89a\u0001\u0000'],
    ['an SVG', '<svg xmlns="http'],
    ['a page', '<!DOCTYPE html>'],
    ['an archive', 'PK\u0003\u0004\u0014\u0000'],
    ['a program', '\u007fELF\u0002\u0001\u0001\u0000'],
    ['a page that is a PDF too', '<html>%PDF-1.7\n'],
    ['a drawing that is a PDF too', '\u00ef\u00bb\u00bf\n<svg xmlns="http://www.w3.org/2000/svg">%PDF-1.7\n'],
    ['a page in UTF-16 that is a PDF too', '\u00fe\u00ff\u0000<\u0000h%PDF-1.7\n'],
    ['a PDF that begins too late', `${' '.repeat(1_020)}%PDF-1.7\n`],
    ['a sound in the container of WebP', 'RIFF\u0024\u0000\u0000\u0000WAVEfmt '],
    ['an image that ends at once', '\u00ff\u00d8\u00ff'],
    ['a future PDF', '%PDF-x'],
  ])('of %s is none of ours', (_, head) => {
    expect(attachmentTypeOf(bytes(head))).toBeUndefined();
  });

  it('is told by as many bytes as are said to be needed', () => {
    expect(attachmentTypeOf(bytes(`${WEBP}VP8 and so on`).subarray(0, HEAD_BYTES))).toBe('image/webp');
    expect(attachmentTypeOf(bytes(PNG).subarray(0, HEAD_BYTES))).toBe('image/png');
  });

  it('gives its extension', () => {
    expect(ATTACHMENT_TYPES.map(extensionOf)).toEqual(['jpg', 'png', 'webp', 'pdf']);
  });
});
