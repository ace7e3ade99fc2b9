import type { Declaration } from '../../kernel/domain/declaration.js';

const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Trimmed; undefined if empty. */
export function textField(declaration: Declaration, fieldId: string): string | undefined {
  const value = Object.hasOwn(declaration, fieldId) ? declaration[fieldId] : undefined;
  return typeof value === 'string' ? nonEmpty(value) : undefined;
}

/** FHIR permits neither empty strings nor control characters, except tabs and line breaks. */
export function nonEmpty(text: unknown): string | undefined {
  const printable = typeof text === 'string' ? text.replace(FORBIDDEN, ' ').trim() : '';
  return printable === '' ? undefined : printable;
}

/** FHIR codes have single spaces between words. */
export const codeText = (text: unknown): string | undefined => nonEmpty(text)?.replace(/\s+/g, ' ');
